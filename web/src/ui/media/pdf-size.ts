/** Size of a page in points (1/72 inch), after rotation. */
export type PageSize = { width: number; height: number };

/** Size assumed for unknown pages: A4. */
export const usualPage: PageSize = { width: 595, height: 842 };

/** Memory limit of one page in pixels, at four bytes each. */
const mostPixels = 16_000_000;

/** Longest canvas side that browsers support, in pixels. */
const longestSide = 16_384;

/** Pixels per point: the requested scale, reduced to the limits. */
export const drawnScale = ({ width, height }: PageSize, wanted: number): number =>
  Math.min(wanted, Math.sqrt(mostPixels / (width * height)), longestSide / Math.max(width, height));
