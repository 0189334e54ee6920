"""Functions as modules, which is what torch.export takes."""

import torch


class _Module(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self._function = function

    def forward(self, *xs):
        return self._function(*xs)


def module(function):
    return lambda: _Module(function)
