import { t } from '@lingui/core/macro';
import type { SeriesSummary } from '@radwork/contract/imaging/study-rows';
import { tag, textsOf } from '#reading/viewer/images/header/dicom-json.ts';
import type { Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { pointAt, sliceOf } from '#reading/viewer/images/geometry/slice.ts';
import { volumeFitness } from '#reading/viewer/volumes/volume-fitness.ts';

/** A series with its images. */
export type ReadSeries = { series: SeriesSummary; images: readonly SeriesImage[] };

/** Two series to fuse: the uptake (PT or NM), and the anatomy (CT or MR) that shows where it is. */
export type FusionPair = { anatomy: ReadSeries; uptake: ReadSeries };

/** Returns whether two pairs are of the same series. A series that was loaded again has another list of images. */
export const isSamePair = (one: FusionPair, other: FusionPair): boolean =>
  one.anatomy.series.seriesInstanceUID === other.anatomy.series.seriesInstanceUID &&
  one.uptake.series.seriesInstanceUID === other.uptake.series.seriesInstanceUID;

/** Pairs of a study, the best first, or the reason why there is none. */
export type Pairing = { pairs: readonly FusionPair[] } | { reason: string };

const anatomies = ['CT', 'MR'];
const uptakes = ['PT', 'NM'];

export const isAnatomy = ({ modality }: SeriesSummary): boolean => anatomies.includes(modality);
export const isUptake = ({ modality }: SeriesSummary): boolean => uptakes.includes(modality);

/**
 * Returns the pairs of series that can be fused: both form a volume, share a frame of reference and overlap. Pairs with
 * `namedSeries` series come first. After that, attenuation-corrected PET comes before other PET, CT before MR, and a larger
 * overlap before a smaller one.
 */
export const pairsOf = (all: readonly ReadSeries[], namedSeries: readonly string[]): Pairing => {
  const [anatomy, uptake] = [
    all.filter(({ series }) => isAnatomy(series)),
    all.filter(({ series }) => isUptake(series)),
  ];
  if (uptake.length === 0) return { reason: t`This study has no PET or scintigraphy to fuse.` };
  if (anatomy.length === 0) return { reason: t`This study has no CT or MR to fuse the PET with.` };
  const judged = { anatomy: anatomy.map(judge), uptake: uptake.map(judge) };
  const pairs = judged.uptake.flatMap((above) =>
    judged.anatomy.flatMap((below) => {
      const overlap = overlapOf(below, above);
      return overlap > 0 ? [{ below, above, overlap }] : [];
    }),
  );
  if (pairs.length === 0) return { reason: reasonOf(judged) };
  const countNamed = ({ below, above }: (typeof pairs)[number]) =>
    [below, above].filter(({ read }) => namedSeries.includes(read.series.seriesInstanceUID)).length;
  const merit = (pair: (typeof pairs)[number]) => [
    countNamed(pair),
    Number(pair.above.read.series.modality === 'PT'),
    Number(isCorrected(pair.above.read)),
    Number(pair.below.read.series.modality === 'CT'),
    pair.overlap,
    pair.below.read.images.length,
    -(pair.below.read.series.seriesNumber ?? 0),
  ];
  return {
    pairs: pairs
      .toSorted((one, other) => firstDifference(merit(other), merit(one)))
      .map(({ below, above }) => ({ anatomy: below.read, uptake: above.read })),
  };
};

const firstDifference = (one: readonly number[], other: readonly number[]): number =>
  one.map((value, index) => value - (other[index] ?? 0)).find((difference) => difference !== 0) ?? 0;

/** Whether a PET is attenuation-corrected (PS3.3 §C.8.9.1). Uncorrected PET only serves to recognize artifacts. */
const isCorrected = ({ images: [first] }: ReadSeries): boolean =>
  first !== undefined && textsOf(first.header, tag.CorrectedImage).includes('ATTN');

type Box = { lower: Vector; upper: Vector };
type JudgedSeries = { read: ReadSeries; frameOfReference: string; box: Box | undefined; reason: string | undefined };

const judge = (read: ReadSeries): JudgedSeries => {
  const fitness = volumeFitness(read.images);
  const slices = read.images.flatMap((image) => sliceOf(image) ?? []);
  const corners = slices.flatMap((slice) => [
    pointAt(slice, { row: 0, column: 0 }),
    pointAt(slice, { row: slice.rows - 1, column: slice.columns - 1 }),
  ]);
  const reach = (end: (...numbers: number[]) => number): Vector => [
    end(...corners.map(([left]) => left)),
    end(...corners.map(([, posterior]) => posterior)),
    end(...corners.map(([, , superior]) => superior)),
  ];
  return {
    read,
    frameOfReference: slices[0]?.frameOfReference ?? '',
    box: fitness.isFit ? { lower: reach(Math.min), upper: reach(Math.max) } : undefined,
    reason: fitness.isFit ? undefined : fitness.reason,
  };
};

/** Returns the overlap of two series in mm³; 0 if they cannot be fused. */
const overlapOf = (one: JudgedSeries, other: JudgedSeries): number => {
  if (one.frameOfReference === '' || one.frameOfReference !== other.frameOfReference) return 0;
  if (!one.box || !other.box) return 0;
  const { box } = one;
  const { lower, upper } = other.box;
  return ([0, 1, 2] as const)
    .map((axis) => Math.max(0, Math.min(box.upper[axis], upper[axis]) - Math.max(box.lower[axis], lower[axis])))
    .reduce((volume, side) => volume * side, 1);
};

const refusalOf = ({ read: { series }, reason = '' }: JudgedSeries): string => {
  const number = series.seriesNumber ?? '–';
  const name = series.seriesDescription || series.modality;
  return t`Series ${number} (${name}) cannot be fused. ${reason}`;
};

/** Returns the reason why there is no pair: no volumes, no shared frame of reference, or no overlap. */
const reasonOf = ({
  anatomy,
  uptake,
}: {
  anatomy: readonly JudgedSeries[];
  uptake: readonly JudgedSeries[];
}): string => {
  for (const kind of [uptake, anatomy]) {
    if (kind.some(({ reason }) => reason === undefined)) continue;
    return kind.map(refusalOf).join(' ');
  }
  const frames = new Set(anatomy.map(({ frameOfReference }) => frameOfReference));
  if (!uptake.some(({ frameOfReference }) => frameOfReference !== '' && frames.has(frameOfReference))) {
    return t`CT and PET of this study have no common frame of reference, so their relative position is unknown.`;
  }
  return t`CT and PET of this study show different parts of the body.`;
};
