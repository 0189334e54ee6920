"""What ends the program, or a job, with a message."""


class BundleError(Exception):
    """What is wrong, where, what was expected."""


class DriverError(BundleError):
    """The driver's: it may say the same of all later calls of the process."""
