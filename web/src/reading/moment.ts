/** Moments as a person reads them, in the place where the page is looked at. */

export const moment = (at: number): string =>
  new Date(at).toLocaleString("en-US", { dateStyle: "medium", timeStyle: "short" });
