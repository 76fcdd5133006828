"""Documents: the blocks that printed documents consist of, their HTML and PDF writers, charts and files."""
