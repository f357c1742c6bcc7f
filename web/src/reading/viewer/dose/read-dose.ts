import { t } from '@lingui/core/macro';
import { dot, between, normalOf } from '#reading/viewer/images/geometry/image-plane.ts';
import { sliceOf, type Slice } from '#reading/viewer/images/geometry/slice.ts';
import { type DicomJson, itemsOf, numberOf, type Tag, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { doseUnit, isDose } from '#reading/viewer/scales/map-scale.ts';
import { storedFrames, storedValuesOf } from '#reading/viewer/file-layers/stored-pixels.ts';
import { lieAlike } from '#reading/viewer/segments/image-stack.ts';
import type { DoseGrid } from './dose-grid.ts';

/** A dose of a study (PS3.3 §A.18), without its values. */
export type Dose = {
  sopInstanceUID: string;
  title: string;
  /** "Gy", or empty for a relative dose. */
  unit: string;
  /** Sum of the dose (DoseSummationType): "PLAN", "FRACTION", "BEAM". */
  summation: string;
  planUids: readonly string[];
  structureSetUids: readonly string[];
  frameOfReference: string;
  images: readonly SeriesImage[];
  /** Reason why the dose cannot be shown over images. Empty if it can. */
  lack: string;
};

/** Largest number of voxels. They take 4 bytes each. */
const mostVoxels = 40_000_000;

const referenced = (header: DicomJson, sequence: Tag): string[] =>
  itemsOf(header, sequence).map((item) => textOf(item, tag.ReferencedSOPInstanceUID));

const lackOf = (header: DicomJson, slices: readonly (Slice | undefined)[]): string => {
  const [first] = slices;
  const voxels = slices.length * (numberOf(header, tag.Rows) ?? 0) * (numberOf(header, tag.Columns) ?? 0);
  if (textOf(header, tag.DoseType) === 'ERROR') return t`It contains differences between doses, not a dose.`;
  if (!((numberOf(header, tag.DoseGridScaling) ?? 0) > 0)) return t`Its scaling (DoseGridScaling) is missing.`;
  if (![16, 32].includes(numberOf(header, tag.BitsAllocated) ?? 0)) return t`Its pixel depth is not supported.`;
  if (!first || slices.some((slice) => !slice)) return t`It has no position in the patient for each frame.`;
  if (slices.some((slice) => slice && !lieAlike(first, slice))) return t`Its frames are not parallel.`;
  if (first.frameOfReference === '') return t`It has no frame of reference.`;
  return voxels > mostVoxels ? t`It is too large for this browser.` : '';
};

const doseOf = (images: readonly SeriesImage[]): Dose[] => {
  const inOrder = images.toSorted((one, other) => one.frame - other.frame);
  const header = inOrder[0]?.header ?? {};
  if (!isDose(header)) return [];
  return [
    {
      sopInstanceUID: textOf(header, tag.SOPInstanceUID),
      title: textOf(header, tag.SeriesDescription) || t`Dose`,
      unit: doseUnit(header),
      summation: textOf(header, tag.DoseSummationType),
      planUids: referenced(header, tag.ReferencedRTPlanSequence),
      structureSetUids: referenced(header, tag.ReferencedStructureSetSequence),
      frameOfReference: textOf(header, tag.FrameOfReferenceUID),
      images: inOrder,
      lack: lackOf(header, inOrder.map(sliceOf)),
    },
  ];
};

/** Returns the doses in the images of a series, one per instance. */
export const dosesIn = (images: readonly SeriesImage[]): Dose[] =>
  [...Map.groupBy(images, ({ header }) => textOf(header, tag.SOPInstanceUID)).values()].flatMap(doseOf);

/** Frames per request. */
const atOnce = 40;

/** Loads the values of a dose. Throws ApiError, or Error if a frame is not as described. */
export const loadGrid = async ({ images }: Dose, signal: AbortSignal): Promise<DoseGrid> => {
  const slices = images.flatMap((image) => sliceOf(image) ?? []);
  const [first, start] = [images[0], slices[0]];
  if (!first || !start) throw new Error(t`It has no position in the patient for each frame.`);
  const { header } = first;
  const normal = normalOf(start);
  const inHeight = slices
    .map((slice, at) => ({ at, slice, height: dot(between(start.position, slice.position), normal) }))
    .toSorted((one, other) => one.height - other.height);
  if (inHeight.some(({ height }, at) => at > 0 && height - (inHeight[at - 1]?.height ?? 0) < 1e-3))
    throw new Error(t`Two frames have the same position.`);
  const lowest = inHeight[0] ?? { slice: start, height: 0 };
  const scaling = numberOf(header, tag.DoseGridScaling) ?? 0;
  const size = start.rows * start.columns;
  const values = new Float32Array(size * images.length);
  const orderOf = new Map(inHeight.map(({ at }, order) => [at, order]));
  let maximum = 0;
  for (let from = 0; from < images.length; from += atOnce) {
    const batch = images.slice(from, from + atOnce);
    const frames = await storedFrames(
      first,
      batch.map(({ frame }) => frame),
      signal,
    );
    for (const [index, pixels] of frames.entries()) {
      const stored = storedValuesOf(first, pixels);
      const begin = (orderOf.get(from + index) ?? 0) * size;
      for (let at = 0; at < size; at += 1) {
        const dose = (stored[at] ?? 0) * scaling;
        values[begin + at] = dose;
        if (dose > maximum) maximum = dose;
      }
    }
  }
  return {
    plane: lowest.slice,
    rows: start.rows,
    columns: start.columns,
    rowSpacing: start.rowSpacing,
    columnSpacing: start.columnSpacing,
    heights: inHeight.map(({ height }) => height - lowest.height),
    values,
    maximum,
  };
};
