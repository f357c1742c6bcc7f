import type { SeriesImage } from './series/series-loader.ts';

type Listener = (images: readonly SeriesImage[]) => void;

let listener: Listener | undefined;
let unreportedSeries: (readonly SeriesImage[])[] = [];

/** Reports a series that was read to the listener. */
export const reportSeriesRead = (images: readonly SeriesImage[]) => {
  if (listener) listener(images);
  else unreportedSeries.push(images);
};

/** Reports each series to the imaging library. Series read before the library has loaded are reported at once. */
export const onSeriesRead = (tell: Listener) => {
  listener = tell;
  const before = unreportedSeries;
  unreportedSeries = [];
  before.forEach(tell);
};
