/** Size of a page in points (1/72 inch), after rotation. */
export type PageSize = { width: number; height: number };

/** Size assumed for a page until it is known: A4. */
export const usualPage: PageSize = { width: 595, height: 842 };

/** Maximum number of pixels of a page. Each pixel needs four bytes. */
const mostPixels = 16_000_000;

/** Longest canvas side that browsers support, in pixels. */
const longestSide = 16_384;

/** Returns the pixels per point: the requested scale, reduced if a limit requires it. */
export const drawnScale = ({ width, height }: PageSize, scale: number): number =>
  Math.min(scale, Math.sqrt(mostPixels / (width * height)), longestSide / Math.max(width, height));
