"""The check that all parts of the library make of their sizes."""


def check_sizes(lowest: int = 1, /, **sizes: int) -> None:
    """Refuse sizes that are too small.

    Args:
        lowest: the smallest size that is allowed.
        sizes: the sizes, by the names of their arguments.

    Raises:
        ValueError: if one is smaller; it names the first of them.

    Example:
        >>> check_sizes(query_size=3, key_size=0)
        Traceback (most recent call last):
        ValueError: key_size is 0, expected at least 1
    """
    for name, size in sizes.items():
        if size < lowest:
            raise ValueError(f"{name} is {size}, expected at least {lowest}")
