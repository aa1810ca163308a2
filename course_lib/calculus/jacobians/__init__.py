"""Softmax and cross-entropy with the derivatives that the lecture on Jacobians derives."""

from course_lib.calculus.jacobians.cross_entropy import cross_entropy, cross_entropy_gradient
from course_lib.calculus.jacobians.regression import SoftmaxRegression
from course_lib.calculus.jacobians.softmax import (
    log_softmax,
    log_softmax_jacobian,
    log_softmax_vjp,
    logsumexp,
    softmax,
    softmax_jacobian,
    softmax_vjp,
)

__all__ = [
    "SoftmaxRegression",
    "cross_entropy",
    "cross_entropy_gradient",
    "log_softmax",
    "log_softmax_jacobian",
    "log_softmax_vjp",
    "logsumexp",
    "softmax",
    "softmax_jacobian",
    "softmax_vjp",
]
