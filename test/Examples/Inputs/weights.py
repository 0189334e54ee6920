"""Writes weights for transformer_block.mlir."""

import sys

import numpy

random = numpy.random.default_rng(1)


def weights(inputs, outputs):
    values = random.standard_normal((inputs, outputs)) / inputs ** 0.5
    return values.astype("float32")


numpy.savez(sys.argv[1], w_qkv=weights(512, 1536), w_out=weights(512, 512),
            w_up=weights(512, 2048), w_down=weights(2048, 512))
