"""Backpropagation: gates, the order of a graph, a tensor autograd engine and gradient checks."""

from course_lib.calculus.backpropagation.checking import (
    best_step,
    gradient_error,
    numerical_gradient,
)
from course_lib.calculus.backpropagation.functions import (
    cross_entropy,
    exp,
    log,
    log_softmax,
    maximum,
    mean,
    relu,
    reshape,
    sigmoid,
    sum,
    tanh,
    transpose,
)
from course_lib.calculus.backpropagation.gates import AddGate, BranchGate, MaxGate, MultiplyGate
from course_lib.calculus.backpropagation.network import TwoLayerNetwork
from course_lib.calculus.backpropagation.node import Node, as_node
from course_lib.calculus.backpropagation.order import topological_order
from course_lib.calculus.backpropagation.rules import (
    index_rule,
    left_factor_rule,
    right_factor_rule,
    sum_to,
)

__all__ = [
    "AddGate",
    "BranchGate",
    "MaxGate",
    "MultiplyGate",
    "Node",
    "TwoLayerNetwork",
    "as_node",
    "best_step",
    "cross_entropy",
    "exp",
    "gradient_error",
    "index_rule",
    "left_factor_rule",
    "log",
    "log_softmax",
    "maximum",
    "mean",
    "numerical_gradient",
    "relu",
    "reshape",
    "right_factor_rule",
    "sigmoid",
    "sum",
    "sum_to",
    "tanh",
    "topological_order",
    "transpose",
]
