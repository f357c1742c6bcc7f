/** A page in points of 1/72 inch, as it is seen: turned already. */
export type PageSize = { width: number; height: number };

/** What a page of unknown size is taken for: A4. */
export const usualPage: PageSize = { width: 595, height: 842 };

/** What one page may take of memory: four bytes for each pixel. */
const mostPixels = 16_000_000;

/** What browsers can draw on at all, in pixels. */
const longestSide = 16_384;

/** Pixels of a drawn page for each of its points: as many as wanted, unless that makes too many. */
export const drawnScale = ({ width, height }: PageSize, wanted: number): number =>
  Math.min(wanted, Math.sqrt(mostPixels / (width * height)), longestSide / Math.max(width, height));
