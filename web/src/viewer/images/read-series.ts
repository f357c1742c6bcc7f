import type { SeriesImage } from './series-loader.ts';

type Listener = (images: readonly SeriesImage[]) => void;

let listener: Listener | undefined;
let untold: (readonly SeriesImage[])[] = [];

/** Tells whoever listens that a series was read. */
export const noteRead = (images: readonly SeriesImage[]) => {
  if (listener) listener(images);
  else untold.push(images);
};

/**
 * Has the imaging library told of each series that is read. Series are read while the library is still on its way: of
 * those it is told at once.
 */
export const onSeriesRead = (tell: Listener) => {
  listener = tell;
  const before = untold;
  untold = [];
  before.forEach(tell);
};
