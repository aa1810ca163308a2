"""What teacher forcing leaves out: scheduled sampling, copying, guided attention, minimum risk."""

from course_lib.translation.training_techniques.candidates import (
    Candidates,
    draw_candidates,
    reference_ids,
    sampled_risk,
)
from course_lib.translation.training_techniques.copy_translator import CopyTranslator
from course_lib.translation.training_techniques.copying import (
    copy_distribution,
    copy_mixture,
    extended_ids,
)
from course_lib.translation.training_techniques.exposure import continue_greedily
from course_lib.translation.training_techniques.guided_attention import (
    diagonal_penalty,
    guided_attention_loss,
)
from course_lib.translation.training_techniques.minimum_risk import (
    candidate_distribution,
    minimum_risk_loss,
)
from course_lib.translation.training_techniques.names import make_names, put_names
from course_lib.translation.training_techniques.objective import minimize
from course_lib.translation.training_techniques.scheduled_sampling import (
    scheduled_sampling_logits,
)
from course_lib.translation.training_techniques.schedules import (
    exponential_decay,
    inverse_sigmoid_decay,
    linear_decay,
)

__all__ = [
    "Candidates",
    "CopyTranslator",
    "candidate_distribution",
    "continue_greedily",
    "copy_distribution",
    "copy_mixture",
    "diagonal_penalty",
    "draw_candidates",
    "exponential_decay",
    "extended_ids",
    "guided_attention_loss",
    "inverse_sigmoid_decay",
    "linear_decay",
    "make_names",
    "minimize",
    "minimum_risk_loss",
    "put_names",
    "reference_ids",
    "sampled_risk",
    "scheduled_sampling_logits",
]
