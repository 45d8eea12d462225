"""A real S3-compatible server on the loopback: MinIO, built from its Go module."""
