"""The compiled parts of the solvers: read, not imported, as those in `mctslab.fast.kernels`."""
