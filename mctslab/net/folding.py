"""A net without its batch norms: the same answers with a third of the layers.

After training, a batch norm multiplies each feature plane by one number and adds another. The
convolution before it can do both: its weights are multiplied, and it gets a bias.
"""

import copy

from torch import nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

from mctslab.net.model import ConvolutionBlock, PolicyValueNet, ResidualBlock


def folded(net: PolicyValueNet) -> PolicyValueNet:
    """A copy of `net` for answering, whose convolutions do what its batch norms did.

    `net` stays as it is; what it learns afterwards the copy does not know.
    """
    plain = copy.deepcopy(net).eval()
    for module in list(plain.modules()):
        if isinstance(module, ConvolutionBlock):
            module.convolution = _fold(module.convolution, module.norm)
            module.norm = nn.Identity()
        elif isinstance(module, ResidualBlock):
            module.second = _fold(module.second, module.second_norm)
            module.second_norm = nn.Identity()
    return plain


def _fold(convolution: nn.Conv2d, norm: nn.Module) -> nn.Conv2d:
    assert isinstance(norm, nn.BatchNorm2d)
    return fuse_conv_bn_eval(convolution, norm)
