import type { Measurement, MeasuredValue } from '@radwork/contract/measurements';
import { useSyncExternalStore } from 'react';
import { type DicomJson, numbersOf, tag } from '#viewer/images/dicom-json.ts';
import { instanceOf } from '#viewer/images/instance-of.ts';
import { imageIdOf } from '#viewer/images/series-loader.ts';
import { regionsOfImage } from '#viewer/images/ultrasound-regions.ts';

/** By how much the lengths of an image are multiplied to be millimetres, and who has said so. */
export type HandCalibration = { factor: number; author: string };

const isLength = ({ quantity }: MeasuredValue) => quantity === 'LENGTH' || quantity === 'SHORT_AXIS';

/**
 * Whether a value may be calibrated by hand: one in pixels, and one that holds at the detector only. Millimetres in the
 * patient, and those that the machine has corrected or calibrated itself, stay what they are.
 */
const isOpen = ({ unit, scale }: MeasuredValue) =>
  unit === 'px' ||
  unit === 'px²' ||
  ((unit === 'mm' || unit === 'mm²') && (scale === 'DETECTOR' || scale === 'UNKNOWN'));

/** What was read off an image, by a factor that somebody has worked out by hand: lengths by it, areas by its square. */
export const calibrated = (values: readonly MeasuredValue[], factor: number | undefined): MeasuredValue[] =>
  values.map((one) => {
    if (factor === undefined || !isOpen(one)) return one;
    const by = { scale: 'BY_HAND', factor } as const;
    if (isLength(one)) return { ...one, value: one.value * factor, unit: 'mm', ...by };
    if (one.quantity === 'AREA') return { ...one, value: one.value * factor ** 2, unit: 'mm²', ...by };
    return one;
  });

/** The factor that kept values were read with; undefined for those that nobody has calibrated. */
export const factorIn = (values: readonly MeasuredValue[]): number | undefined =>
  values.find(({ scale, factor }) => scale === 'BY_HAND' && factor !== undefined)?.factor;

/** The factor by which a length that was drawn is so many millimetres long; undefined for what is no such length. */
export const factorFor = (values: readonly MeasuredValue[], millimetres: number): number | undefined => {
  const length = values.find(({ quantity }) => quantity === 'LENGTH');
  if (!length || !(length.value > 0) || !(millimetres > 0)) return undefined;
  const uncalibrated = length.value / (factorIn([length]) ?? 1);
  return millimetres / uncalibrated;
};

/** Scanners whose images know in millimetres of the patient how large they are. */
const knowTheirSize = new Set(['CT', 'MR', 'PT', 'NM']);

/** Why an image is not calibrated by hand, in words; empty where it may be. */
export const reasonAgainst = (
  values: readonly MeasuredValue[],
  { modality, header, hasRegions }: { modality: string; header: DicomJson; hasRegions: boolean },
): string => {
  if (knowTheirSize.has(modality))
    return `A ${modality} image knows its size in the patient: it is not calibrated by hand.`;
  if (hasRegions) return 'The ultrasound machine has calibrated this image: it is not calibrated by hand.';
  const [tall = 1, wide = 1] = numbersOf(header, tag.PixelAspectRatio);
  if (tall !== wide) return 'The pixels of this image are not square: one length does not calibrate it.';
  const length = values.find(({ quantity }) => quantity === 'LENGTH');
  if (!length) return 'This line has no length yet: show its image first.';
  return isOpen(length) || length.scale === 'BY_HAND'
    ? ''
    : 'The image says how large it is in the patient: it is not calibrated by hand.';
};

/** Why the image of a length is not calibrated by hand, given its series as it was read. */
export const reasonAgainstCalibrating = (
  { values, sopInstanceUID, frame, seriesInstanceUID }: Measurement,
  study: { studyUid: string; modality: string },
  header: DicomJson | undefined,
): string => {
  if (!header || sopInstanceUID === null || frame === null) return 'Show the image of this line first.';
  const imageId = imageIdOf(study.studyUid, seriesInstanceUID, sopInstanceUID, frame);
  return reasonAgainst(values, { modality: study.modality, header, hasRegions: regionsOfImage(imageId).length > 0 });
};

let known: ReadonlyMap<string, HandCalibration> = new Map();
const listeners = new Set<() => void>();

/**
 * How an image is calibrated, given what was read off it by hand: as the reader did it last; else as the others did who
 * are of one mind. Where they are not, nobody knows which of them is right, and the image is calibrated no more.
 */
const agreed = (kept: readonly Measurement[]): HandCalibration | undefined => {
  const all = kept
    .toSorted((one, other) => one.updatedDate.localeCompare(other.updatedDate))
    .map(({ values, author, isMine }) => ({ factor: factorIn(values) ?? Number.NaN, author: author.name, isMine }));
  const mine = all.findLast(({ isMine }) => isMine);
  const isOfOneMind = new Set(all.map(({ factor }) => factor)).size === 1;
  const chosen = mine ?? (isOfOneMind ? all.at(-1) : undefined);
  return chosen && { factor: chosen.factor, author: chosen.author };
};

/**
 * Learns from what is kept of a study which of its images somebody has calibrated: the calibration lives in the lengths
 * that were made under it, and goes with the last of them.
 */
export const learnCalibrations = (studyUid: string, kept: readonly Measurement[]) => {
  const others = [...known].filter(([instance]) => !instance.includes(`/studies/${studyUid}/`));
  const byHand = kept.filter(({ values, sopInstanceUID }) => sopInstanceUID !== null && factorIn(values) !== undefined);
  const byImage = Map.groupBy(byHand, ({ seriesInstanceUID, sopInstanceUID }) =>
    instanceOf(imageIdOf(studyUid, seriesInstanceUID, sopInstanceUID ?? '', 1)),
  );
  const mine = [...byImage].flatMap(([instance, measured]): [string, HandCalibration][] => {
    const calibration = agreed(measured);
    return calibration ? [[instance, calibration]] : [];
  });
  known = new Map([...others, ...mine]);
  for (const listener of listeners) listener();
};

/** How somebody has calibrated an image. It holds for the image and its frames alone: another one of its series was taken from elsewhere. */
export const calibrationOf = (imageId: string): HandCalibration | undefined => known.get(instanceOf(imageId));

const onChange = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** The same, told again when it changes. */
export const useCalibration = (imageId: string): HandCalibration | undefined =>
  useSyncExternalStore(onChange, () => calibrationOf(imageId));

/** "Calibrated by hand × 0.87". */
export const calibrationText = ({ factor }: HandCalibration): string => `Calibrated by hand × ${factor.toPrecision(3)}`;
