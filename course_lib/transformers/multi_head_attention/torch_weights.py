"""Load the weights of PyTorch's multi-head attention into ours."""

import torch
from torch import nn

from course_lib.transformers.multi_head_attention.module import MultiHeadAttention


def from_torch(module: nn.MultiheadAttention) -> MultiHeadAttention:
    """Build a ``MultiHeadAttention`` that computes what a module of PyTorch computes.

    PyTorch keeps the three input projections in one matrix, queries above keys above values. Its
    masks are the other way round: True there means "may not be attended to".

    Args:
        module: any ``nn.MultiheadAttention`` whose keys and values have d_model entries, and that
            adds no key or value of its own (``add_bias_kv``, ``add_zero_attn``).

    Returns:
        A new module with copies of the weights, of the same dtype, on the same device, and in the
        same mode (training or not). It takes the batch first, whatever ``module.batch_first`` says.

    Raises:
        ValueError: if the module has an option that ours lacks.

    Example:
        >>> theirs = nn.MultiheadAttention(8, 2, batch_first=True)
        >>> ours, x = from_torch(theirs), torch.ones(1, 3, 8)
        >>> torch.allclose(ours(x, x, x)[0], theirs(x, x, x)[0], atol=1e-6)
        True
    """
    if module.in_proj_weight is None:
        raise ValueError("module has kdim or vdim other than embed_dim, expected them equal")
    if module.bias_k is not None or module.add_zero_attn:
        raise ValueError("module has add_bias_kv or add_zero_attn, expected neither")
    bias = module.in_proj_bias is not None
    ours = MultiHeadAttention(
        module.embed_dim, module.num_heads, dropout=module.dropout, bias=bias
    ).to(module.in_proj_weight)
    projections = [ours.query_projection, ours.key_projection, ours.value_projection]
    with torch.no_grad():
        for ours_linear, weight in zip(projections, module.in_proj_weight.chunk(3), strict=True):
            ours_linear.weight.copy_(weight)
        ours.output_projection.weight.copy_(module.out_proj.weight)
        if bias:
            for ours_linear, values in zip(projections, module.in_proj_bias.chunk(3), strict=True):
                ours_linear.bias.copy_(values)
            ours.output_projection.bias.copy_(module.out_proj.bias)
    return ours.train(module.training)
