import type { CurvePoint } from '#reading/viewer/engine/gray/curve-function.ts';
import type { GrayRange } from '#reading/viewer/images/gray/gray-window.ts';
import type { Grayscale, Table, Voi } from './grayscale.ts';

/** Mapping of values to grays: a window, which the reader may change, or a fixed curve. */
export type GrayMapping =
  | { kind: 'window'; range: GrayRange; isInverted: boolean }
  | { kind: 'curve'; points: CurvePoint[] };

/** Converts a value of the presentation state to the scale of values from which the image is drawn. */
export type ToDrawn = (value: number) => number;

/** Number of samples of a curve. It is more than the number of grays on a screen. */
const samples = 1024;

const clamped = (share: number): number => Math.min(1, Math.max(0, share));

/** Returns the output of a table (0 to 1) at a fraction of its input range. */
const entryAt = ({ entries }: Table, share: number): number =>
  entries[Math.round(clamped(share) * (entries.length - 1))] ?? 0;

/**
 * Number of window widths beyond which the sigmoid curve (PS3.3 §C.11.2.1.3.1) changes by less than 1 part in 10,000.
 */
const flatBeyond = 2.5;

/** Returns sample values of a VOI stage, and the fraction of white for each value (PS3.3 §C.11.2.1). */
const stageOf = (voi: Voi): { values: number[]; share: (value: number) => number } => {
  if (voi.kind === 'table') {
    const { first, entries } = voi.table;
    const every = Math.max(1, Math.ceil(entries.length / (4 * samples)));
    const values = entries.flatMap((_, at) => (at % every === 0 || at === entries.length - 1 ? first + at : []));
    return { values, share: (value) => entries[value - first] ?? 0 };
  }
  const { lower, upper } =
    voi.kind === 'linear'
      ? voi.range
      : { lower: voi.center - flatBeyond * voi.width, upper: voi.center + flatBeyond * voi.width };
  const values = Array.from({ length: samples }, (_, at) => lower + ((upper - lower) * at) / (samples - 1));
  if (voi.kind === 'linear') return { values, share: (value) => clamped((value - lower) / (upper - lower || 1)) };
  return { values, share: (value) => 1 / (1 + Math.exp((-4 * (value - voi.center)) / voi.width)) };
};

/**
 * Returns the gray mapping of a state with its VOI stage. Its values are on the scale from which the image is drawn.
 */
export const grayMappingOf = (
  { isInverted, presentation, palette }: Grayscale,
  voi: Voi,
  toDrawn: ToDrawn,
): GrayMapping => {
  if (voi.kind === 'linear' && !presentation && !palette) {
    const range = { lower: toDrawn(voi.range.lower), upper: toDrawn(voi.range.upper) };
    return { kind: 'window', range, isInverted };
  }
  const { values, share } = stageOf(voi);
  const points = values.map((value) => {
    const afterVoi = share(value);
    const afterPresentation = presentation ? entryAt(presentation, afterVoi) : isInverted ? 1 - afterVoi : afterVoi;
    const [red, green, blue] = palette
      ? palette.map((table) => entryAt(table, afterPresentation))
      : [afterPresentation, afterPresentation, afterPresentation];
    return { value: toDrawn(value), red: red ?? 0, green: green ?? 0, blue: blue ?? 0 };
  });
  return { kind: 'curve', points };
};
