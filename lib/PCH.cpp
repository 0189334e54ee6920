// Carries the precompiled header that the libraries and tools share.
