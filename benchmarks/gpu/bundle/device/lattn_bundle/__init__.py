"""Checks and times compiled attention kernels: see ../README.md."""
