"""The steps, one file each; a step that was published is never changed."""
