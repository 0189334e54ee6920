"""What keeps a single kernel out of the bundle."""


class Failed(Exception):
    """The compiler or ptxas refuses a kernel, for a reason that it names."""
