"""Tests of the page in a real browser; a package, so that Chromium ends with its tests."""
