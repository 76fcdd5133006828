/** Worker: counts the dealer's hands for the page, so that the page stays responsive. */

import { countDealerHands, prepareTables } from "./counting";

addEventListener("message", ({ data }: MessageEvent<{ id: number; hand: number[]; up: number }>) => {
  postMessage({ id: data.id, counts: countDealerHands(data.hand, data.up) });
});
prepareTables();
