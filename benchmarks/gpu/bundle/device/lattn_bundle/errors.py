"""What ends the program with a message."""


class BundleError(Exception):
    """What is wrong, where, what was expected."""
