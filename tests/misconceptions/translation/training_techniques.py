"""Wrong answers to the exercise on training techniques."""

from misconceptions import Misconception

BY_HAND = (
    Misconception(
        name="errors-do-not-follow-each-other",
        why="The expected number of errors of independent words is a product.",
        answers={"wrong-words": "wrong_words = 3 * 1 / 2"},
        loses={"test-wrong-words": "a decoder that recovers"},
    ),
    Misconception(
        name="one-place-is-copied",
        why="Attention is thought to point at one position only.",
        answers={"lima": "probability_lima = 0.6 * 0.1 + 0.4 * 0.4"},
        loses={"test-lima": "only one of the two places"},
    ),
    Misconception(
        name="inferred-minus-predicted",
        why="The gradient of the log-probability is written down in place of the loss.",
        answers={"gate-slope": "slope_of_gate = 0.06 / 0.3 - 0.6"},
        loses={"test-gate-slope": "the sign is wrong"},
    ),
    Misconception(
        name="costs-without-a-baseline",
        why="The score function formula holds the plain cost, and no risk is subtracted.",
        answers={"risk-slopes": "risk_slopes = [1 / 2 * 1 / 3 * 1 / 2, 0]"},
        loses={"test-risk-slopes": "the risk is not subtracted"},
    ),
)

THREE_WAYS = (
    Misconception(
        name="repeated-word-overwritten",
        why="Fancy indexing looks like a loop, and NumPy keeps only the last addition.",
        answers={
            "ways": """
def ways(p, a, x, D):
    copied = np.zeros(len(p))
    copied[x] += a
    return np.stack([p, copied, a @ D])
"""
        },
        loses={"test-ways": "the weight of one position only"},
    ),
    Misconception(
        name="library-mixes-two-ways",
        why="The course library copies, too. It knows two ways, and works in PyTorch.",
        answers={
            "ways": """
import torch
from course_lib.translation.training_techniques import copy_distribution

def ways(p, a, x, D):
    copied = copy_distribution(torch.from_numpy(a), torch.from_numpy(x), len(p)).numpy()
    return np.stack([p, copied, a @ D])
"""
        },
        loses={"test-ways": "PyTorch was called"},
    ),
    Misconception(
        name="joint-taken-for-posterior",
        why="Bayes' rule is remembered without its denominator.",
        answers={
            "responsibilities": """
def responsibilities(z, M, w):
    g = np.exp(z - z.max())
    r = g / g.sum() * M[:, w]
    return r if M[1:, w].any() else r / r.sum()
"""
        },
        loses={"test-responsibilities": "not divided by P(w)"},
    ),
    Misconception(
        name="gate-forgotten-in-bayes-rule",
        why="The three likelihoods are compared, and the prior is overlooked.",
        answers={
            "responsibilities": """
def responsibilities(z, M, w):
    return M[:, w] / M[:, w].sum()
"""
        },
        loses={"test-responsibilities": "a way that is never taken explains nothing"},
    ),
    Misconception(
        name="gate-gradient-uphill",
        why="The log-probability is differentiated, and the loss is its negative.",
        answers={
            "gate-gradient": """
def gate_gradient(z, r):
    g = np.exp(z) / np.exp(z).sum()
    return r - g
"""
        },
        loses={"test-gate-gradient": "the sign is wrong"},
    ),
    Misconception(
        name="attention-slope-stops-before-the-softmax",
        why="The slope by the weights looks like the end of the derivation.",
        answers={
            "attention-gradient": """
def attention_gradient(r, M, a, x, D, w):
    slope = np.zeros(len(a))
    for k, column in ((1, (x == w) * 1.0), (2, D[:, w])):
        if M[k, w] > 0:
            slope -= r[k] * column / M[k, w]
    return slope
"""
        },
        loses={"test-attention-gradient": "The softmax is still to come"},
    ),
    Misconception(
        name="dictionary-gives-attention-no-gradient",
        why="The dictionary is fixed, so nothing seems to flow through it.",
        answers={
            "attention-gradient": """
def attention_gradient(r, M, a, x, D, w):
    if M[1, w] == 0:
        return np.zeros(len(a))
    return -r[1] * (a * (x == w) / M[1, w] - a)
"""
        },
        loses={"test-attention-gradient": "attention serves it, too"},
    ),
)

RISK = (
    Misconception(
        name="blames-the-shift",
        why="Subtracting the maximum changes the numbers, so it looks like the fault.",
        answers={"wrong-line": "wrong_line = 2"},
        loses={"test-wrong-line": "the shift by the maximum cancels"},
    ),
    Misconception(
        name="samples-counted-as-drawn",
        why="In a plain average over samples, a repeated sample counts again.",
        answers={
            "mended-gradient": """
def mended_gradient(log_probs, costs, sentences, alpha):
    Q = np.exp(alpha * (log_probs - log_probs.max()))
    Q = Q / Q.sum()
    return alpha * Q * (costs - Q @ costs)
"""
        },
        loses={"test-mended-gradient": "as often as it was drawn"},
    ),
    Misconception(
        name="mean-cost-kept",
        why="A baseline is often introduced as the mean of the costs.",
        answers={
            "mended-gradient": """
def mended_gradient(log_probs, costs, sentences, alpha):
    Q = np.exp(alpha * (log_probs - log_probs.max()))
    Q = Q / Q.sum()
    return alpha * Q * (costs - costs.mean())
"""
        },
        loses={"test-mended-gradient": "slopes do not sum to zero"},
    ),
    Misconception(
        name="autograd-differentiates-the-risk",
        why="The library holds the risk, and PyTorch differentiates it.",
        answers={
            "mended-gradient": """
import torch
from course_lib.translation.training_techniques import minimum_risk_loss

def mended_gradient(log_probs, costs, sentences, alpha):
    s = torch.tensor(log_probs)[None].requires_grad_()
    minimum_risk_loss(s, torch.tensor(costs)[None], alpha).backward()
    return s.grad[0].numpy()
"""
        },
        loses={"test-mended-gradient": "PyTorch was called"},
    ),
)

SCHEDULED = (
    Misconception(
        name="random-words-are-fed-in",
        why="Scheduled sampling is described as adding wrong words in training.",
        answers={
            "scheduled": """
def scheduled_sampling(M, y, epsilon, coins, levels):
    read = np.where(coins < epsilon, np.roll(y, 1), (levels * len(M)).astype(int))
    read[0] = 0
    return read, -np.log(M[read, y]).sum()
"""
        },
        loses={"test-scheduled": "these are random words"},
    ),
    Misconception(
        name="own-words-become-the-labels",
        why="If the model goes its own way, its own next word seems to be what follows.",
        answers={
            "scheduled": """
def scheduled_sampling(M, y, epsilon, coins, levels):
    read = [0]
    for t in range(1, len(y)):
        own = np.searchsorted(np.cumsum(M[read[-1]]), levels[t], side="right")
        read.append(y[t - 1] if coins[t] < epsilon else own)
    read = np.array(read)
    return read, -np.log(M[read, np.append(read[1:], y[-1])]).sum()
"""
        },
        loses={"test-scheduled": "They stay the right ones"},
    ),
    Misconception(
        name="drawn-after-right-words-only",
        why="One parallel pass with teacher forcing gives all predictions at once.",
        answers={
            "scheduled": """
def scheduled_sampling(M, y, epsilon, coins, levels):
    before = np.append([0, 0], y[:-2])
    read = np.array([
        y[t - 1] if coins[t] < epsilon
        else np.searchsorted(np.cumsum(M[before[t]]), levels[t], side="right")
        for t in range(len(y))
    ])
    read[0] = 0
    return read, -np.log(M[read, y]).sum()
"""
        },
        loses={"test-scheduled": "not after the one that was read"},
    ),
    Misconception(
        name="likeliest-word-is-fed-in",
        why="Greedy translation takes the likeliest word, so training is made to do so, too.",
        answers={
            "scheduled": """
def scheduled_sampling(M, y, epsilon, coins, levels):
    read = [0]
    for t in range(1, len(y)):
        read.append(y[t - 1] if coins[t] < epsilon else M[read[-1]].argmax())
    read = np.array(read)
    return read, -np.log(M[read, y]).sum()
"""
        },
        loses={"test-scheduled": "Draw it with the level"},
    ),
)

FIGURE = (
    Misconception(
        name="the-metric-is-the-loss",
        why="One says that a system was optimised for its metric.",
        answers={"figure": 'followed = "A"\nother_slope = 0'},
        loses={"test-followed": "a metric is not the loss that gives gradients"},
    ),
    Misconception(
        name="slope-read-off-the-trend",
        why="The eye draws a smooth curve through the steps.",
        answers={"figure": 'followed = "B"\nother_slope = -0.3'},
        loses={"test-other-slope": "The trend over several jumps is no derivative"},
    ),
)

WHOLE_PART = (
    Misconception(
        name="unknown-words-in-the-order-of-the-source",
        why="Spanish and English order agree so often that attention seems unnecessary.",
        answers={
            "finish": """
def finish(words, source, attention):
    end = words.index("<eos>") if "<eos>" in words else len(words)
    names = iter([word for word in source if word[0].isupper()])
    return [next(names, "?") if word == "<unk>" else word for word in words[:end]]
"""
        },
        loses={"test-finish": "Ask the attention"},
    ),
    Misconception(
        name="library-bleu-has-equal-weights",
        why="The course library has a sentence BLEU with two orders and smoothing.",
        answers={
            "short-bleu": """
from course_lib.translation.bleu import sentence_bleu

def short_bleu(candidate, reference):
    if not candidate:
        return 0.0
    options = {"max_order": 2, "smoothing": "add-k", "effective_order": True}
    return sentence_bleu(candidate, [reference], **options)
"""
        },
        loses={"test-short-bleu": "equal weights"},
    ),
    Misconception(
        name="precision-without-clipping",
        why="A precision is the share of the candidate's words that stand in the reference.",
        answers={
            "short-bleu": """
def short_bleu(candidate, reference):
    if not candidate:
        return 0.0
    pairs = [list(zip(words, words[1:])) for words in (candidate, reference)]
    p1 = sum(word in reference for word in candidate) / len(candidate)
    p2 = (sum(pair in pairs[1] for pair in pairs[0]) + 1) / len(candidate)
    return min(1.0, np.exp(1 - len(reference) / len(candidate))) * p1**0.75 * p2**0.25
"""
        },
        loses={"test-short-bleu": "not clipped"},
    ),
    Misconception(
        name="the-likeliest-candidate-is-chosen",
        why="Beam search returns the candidate with the best normalised score.",
        answers={
            "choose": """
def choose(candidates, log_probs, alpha, bleu):
    return int(np.argmax(log_probs / np.array([len(words) + 1 for words in candidates])))
"""
        },
        loses={"test-choose": "Ask which one agrees best with all of them"},
    ),
    Misconception(
        name="references-not-weighted",
        why="The mean agreement with the other candidates looks like a vote.",
        answers={
            "choose": """
def choose(candidates, log_probs, alpha, bleu):
    B = np.array([[bleu(one, other) for other in candidates] for one in candidates])
    return 0 if len(B) == 2 else int(np.argmax(B.mean(axis=1)))
"""
        },
        loses={"test-choose": "Weigh them by Q"},
    ),
    Misconception(
        name="candidate-and-reference-exchanged",
        why="A matrix of pairwise agreements is expected to be symmetric.",
        answers={
            "choose": """
def choose(candidates, log_probs, alpha, bleu):
    lengths = np.array([len(words) + 1 for words in candidates])
    scores = alpha * log_probs / lengths
    Q = np.exp(scores) / np.exp(scores).sum()
    B = np.array([[bleu(other, one) for other in candidates] for one in candidates])
    return int(np.argmax(B @ Q))
"""
        },
        loses={"test-choose": "BLEU is not symmetric"},
    ),
)

MISCONCEPTIONS = (*BY_HAND, *THREE_WAYS, *RISK, *SCHEDULED, *FIGURE, *WHOLE_PART)
