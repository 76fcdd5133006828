"""Pictures for documents made small: 256 colours, chosen by where most pixels are, and packed well."""

import struct
import zlib

import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint8]
MOST_COLOURS = 256


def small_png(pixels: Pixels) -> bytes:
    """Return an indexed PNG of some pixels: an array of rows, columns and red, green, blue."""
    height, width, _ = pixels.shape
    shades, where, counts = np.unique(pixels.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True)
    boxes = _boxes(shades.astype(np.int64), counts)
    palette = np.array(
        [np.average(shades[box], axis=0, weights=counts[box]).round() for box in boxes], np.uint8
    )
    chosen = np.empty(len(shades), np.uint8)
    for number, box in enumerate(boxes):
        chosen[box] = number
    rows = chosen[where.reshape(height, width)]
    filtered = np.hstack([np.zeros((height, 1), np.uint8), rows]).tobytes()
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = (
        (b"IHDR", header),
        (b"PLTE", palette.tobytes()),
        (b"IDAT", zlib.compress(filtered, 9)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(_part(name, body) for name, body in parts)


def _boxes(shades: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]) -> list[npt.NDArray[np.int64]]:
    """Return groups of shades: whichever spreads most, by its pixels, is divided until there are enough."""
    boxes = [np.arange(len(shades))]
    weights = [_spread(shades, counts, boxes[0])]
    while len(boxes) < min(MOST_COLOURS, len(shades)):
        number = int(np.argmax(weights))
        box = boxes[number]
        channel = int(np.argmax(np.ptp(shades[box], axis=0)))
        ordered = box[np.argsort(shades[box, channel], kind="stable")]
        share = np.cumsum(counts[ordered])
        middle = int(np.searchsorted(share, share[-1] / 2)) + 1
        middle = min(max(middle, 1), len(ordered) - 1)
        boxes[number : number + 1] = [ordered[:middle], ordered[middle:]]
        weights[number : number + 1] = [_spread(shades, counts, part) for part in boxes[number : number + 2]]
    return boxes


def _spread(
    shades: npt.NDArray[np.int64], counts: npt.NDArray[np.int64], box: npt.NDArray[np.int64]
) -> float:
    """Return how much is lost by showing a group in one shade; rare shades count for something too."""
    if len(box) == 1:
        return 0.0
    weights = np.sqrt(counts[box])
    middle = np.average(shades[box], axis=0, weights=weights)
    return float((weights[:, None] * (shades[box] - middle) ** 2).sum())


def _part(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
