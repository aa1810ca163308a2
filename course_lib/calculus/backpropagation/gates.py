"""The gates of a computation graph of numbers: each knows its local derivatives.

A gate computes its output in ``forward`` and keeps what its derivatives need. ``backward`` takes
the upstream gradient, the derivative of the final result with respect to the output, and returns
the downstream gradients, one for each input: upstream times local.
"""

Number = float | int


class AddGate:
    """Add two numbers. Both local derivatives are 1: the gradient is passed on to both.

    Example:
        >>> gate = AddGate()
        >>> gate.forward(3.0, 4.0)
        7.0
        >>> gate.backward(2.0)
        (2.0, 2.0)
    """

    def forward(self, x: Number, y: Number) -> Number:
        """Return x + y."""
        return x + y

    def backward(self, upstream: Number) -> tuple[Number, Number]:
        """Return the gradients of x and y. Nothing has to be remembered for them."""
        return upstream, upstream


class MultiplyGate:
    """Multiply two numbers. The local derivative of each is the other: the inputs are switched.

    Example:
        >>> gate = MultiplyGate()
        >>> gate.forward(3.0, 4.0)
        12.0
        >>> gate.backward(2.0)
        (8.0, 6.0)
    """

    def __init__(self) -> None:
        """Start without inputs: there is nothing to go back through yet."""
        self.inputs: tuple[Number, Number] | None = None

    def forward(self, x: Number, y: Number) -> Number:
        """Return x y, and keep both inputs for the way back."""
        self.inputs = (x, y)
        return x * y

    def backward(self, upstream: Number) -> tuple[Number, Number]:
        """Return the gradients of x and y at the inputs of the last forward call.

        Raises:
            RuntimeError: if forward was never called.
        """
        x, y = _remembered(self.inputs)
        return y * upstream, x * upstream


class MaxGate:
    """Take the larger of two numbers. The gradient goes to it alone.

    At a tie there is no derivative. Every pair (a, 1 - a) with 0 <= a <= 1 holds subgradients; the
    gate takes the middle, as ``torch.maximum`` does.

    Example:
        >>> gate = MaxGate()
        >>> gate.forward(3.0, 4.0)
        4.0
        >>> gate.backward(2.0)
        (0.0, 2.0)
    """

    def __init__(self) -> None:
        """Start without inputs: there is nothing to go back through yet."""
        self.inputs: tuple[Number, Number] | None = None

    def forward(self, x: Number, y: Number) -> Number:
        """Return max(x, y), and keep both inputs for the way back."""
        self.inputs = (x, y)
        return max(x, y)

    def backward(self, upstream: Number) -> tuple[Number, Number]:
        """Return the gradients of x and y at the inputs of the last forward call.

        Raises:
            RuntimeError: if forward was never called.
        """
        x, y = _remembered(self.inputs)
        share = 0.5 if x == y else float(x > y)
        return share * upstream, (1 - share) * upstream


class BranchGate:
    """Hand one number to two users. Both copies change with it, so their gradients add up.

    Example:
        >>> gate = BranchGate()
        >>> gate.forward(3.0)
        (3.0, 3.0)
        >>> gate.backward(2.0, 5.0)
        7.0
    """

    def forward(self, x: Number) -> tuple[Number, Number]:
        """Return two copies of x."""
        return x, x

    def backward(self, upstream_1: Number, upstream_2: Number) -> Number:
        """Return the gradient of x, given those of the two copies."""
        return upstream_1 + upstream_2


def _remembered(inputs: tuple[Number, Number] | None) -> tuple[Number, Number]:
    if inputs is None:
        raise RuntimeError("backward was called before forward, which gives the inputs")
    return inputs
