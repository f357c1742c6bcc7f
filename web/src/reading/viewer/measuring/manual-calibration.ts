import { t } from '@lingui/core/macro';
import type { Measurement, MeasuredValue } from '@radwork/contract/reading/measurements';
import { useSyncExternalStore } from 'react';
import { type DicomJson, numbersOf, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { instanceOf } from '#reading/viewer/images/header/instance-id.ts';
import { imageIdOf } from '#reading/viewer/images/series/series-loader.ts';
import { regionsOfImage } from '#reading/viewer/images/header/ultrasound-regions.ts';

/** Factor that converts lengths on an image to millimeters, with its author. */
export type CalibrationFactor = { factor: number; author: string };

const isLength = ({ quantity }: MeasuredValue) => quantity === 'LENGTH' || quantity === 'SHORT_AXIS';

/**
 * Whether a value may be calibrated manually: pixels, or millimeters at the detector. Millimeters in the patient and
 * values corrected by the device stay unchanged.
 */
const isOpen = ({ unit, scale }: MeasuredValue) =>
  unit === 'px' ||
  unit === 'px²' ||
  ((unit === 'mm' || unit === 'mm²') && (scale === 'DETECTOR' || scale === 'UNKNOWN'));

/** Applies a manual calibration: multiplies lengths by its factor, and areas by the square of the factor. */
export const calibrated = (values: readonly MeasuredValue[], factor: number | undefined): MeasuredValue[] =>
  values.map((value) => {
    if (factor === undefined || !isOpen(value)) return value;
    const by = { scale: 'BY_HAND', factor } as const;
    if (isLength(value)) return { ...value, value: value.value * factor, unit: 'mm', ...by };
    if (value.quantity === 'AREA') return { ...value, value: value.value * factor ** 2, unit: 'mm²', ...by };
    return value;
  });

/** Returns the factor of the manual calibration with which values were saved; undefined without such a calibration. */
export const factorIn = (values: readonly MeasuredValue[]): number | undefined =>
  values.find(({ scale, factor }) => scale === 'BY_HAND' && factor !== undefined)?.factor;

/**
 * Returns the factor that makes the drawn length equal to `millimetres`. Undefined if the values contain no suitable
 * length.
 */
export const factorFor = (values: readonly MeasuredValue[], millimetres: number): number | undefined => {
  const length = values.find(({ quantity }) => quantity === 'LENGTH');
  if (!length || !(length.value > 0) || !(millimetres > 0)) return undefined;
  const uncalibrated = length.value / (factorIn([length]) ?? 1);
  return millimetres / uncalibrated;
};

/** Modalities whose images contain their true size. */
const knowTheirSize = new Set(['CT', 'MR', 'PT', 'NM']);

/** Returns the reason why an image cannot be calibrated manually; empty if it can. */
export const reasonAgainst = (
  values: readonly MeasuredValue[],
  { modality, header, hasRegions }: { modality: string; header: DicomJson; hasRegions: boolean },
): string => {
  if (knowTheirSize.has(modality)) return t`${modality} images contain their size and cannot be calibrated by hand.`;
  if (hasRegions) return t`The ultrasound device calibrated this image. It cannot be calibrated by hand.`;
  const [tall = 1, wide = 1] = numbersOf(header, tag.PixelAspectRatio);
  if (tall !== wide) return t`The pixels of this image are not square, so one length cannot calibrate it.`;
  const length = values.find(({ quantity }) => quantity === 'LENGTH');
  if (!length) return t`This line has no length yet. Show its image first.`;
  return isOpen(length) || length.scale === 'BY_HAND'
    ? ''
    : t`The image contains its size and cannot be calibrated by hand.`;
};

/** Returns the reason why the image of a length cannot be calibrated manually. `header` is the header of that image. */
export const reasonAgainstCalibrating = (
  { values, sopInstanceUID, frame, seriesInstanceUID }: Measurement,
  study: { studyUid: string; modality: string },
  header: DicomJson | undefined,
): string => {
  if (!header || sopInstanceUID === null || frame === null) return t`Show the image of this line first.`;
  const imageId = imageIdOf(study.studyUid, seriesInstanceUID, sopInstanceUID, frame);
  return reasonAgainst(values, { modality: study.modality, header, hasRegions: regionsOfImage(imageId).length > 0 });
};

let known: ReadonlyMap<string, CalibrationFactor> = new Map();
const listeners = new Set<() => void>();

/**
 * Returns the calibration of an image from its measurements: the user's own latest calibration. Without one, uses the
 * calibration of other users if they all agree. If they disagree, the image is not calibrated.
 */
const agreed = (measurements: readonly Measurement[]): CalibrationFactor | undefined => {
  const all = measurements
    .toSorted((one, other) => one.updatedDate.localeCompare(other.updatedDate))
    .map(({ values, author, isMine }) => ({ factor: factorIn(values) ?? Number.NaN, author: author.name, isMine }));
  const mine = all.findLast(({ isMine }) => isMine);
  const isOfOneMind = new Set(all.map(({ factor }) => factor)).size === 1;
  const agreedFactor = mine ?? (isOfOneMind ? all.at(-1) : undefined);
  return agreedFactor && { factor: agreedFactor.factor, author: agreedFactor.author };
};

/**
 * Collects the calibrated images of a study from its measurements. Each length stores the calibration with which it was
 * made. An image is calibrated as long as such a length exists.
 */
export const learnCalibrations = (studyUid: string, measurements: readonly Measurement[]) => {
  const others = [...known].filter(([instance]) => !instance.includes(`/studies/${studyUid}/`));
  const byHand = measurements.filter(
    ({ values, sopInstanceUID }) => sopInstanceUID !== null && factorIn(values) !== undefined,
  );
  const byImage = Map.groupBy(byHand, ({ seriesInstanceUID, sopInstanceUID }) =>
    instanceOf(imageIdOf(studyUid, seriesInstanceUID, sopInstanceUID ?? '', 1)),
  );
  const mine = [...byImage].flatMap(([instance, measured]): [string, CalibrationFactor][] => {
    const calibration = agreed(measured);
    return calibration ? [[instance, calibration]] : [];
  });
  known = new Map([...others, ...mine]);
  for (const listener of listeners) listener();
};

/**
 * Returns the manual calibration of an image. It applies to all frames of the image, but not to other images of the
 * series, which may have another distance from the source.
 */
export const calibrationOf = (imageId: string): CalibrationFactor | undefined => known.get(instanceOf(imageId));

const onChange = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Hook version of `calibrationOf`, updated at each change. */
export const useCalibration = (imageId: string): CalibrationFactor | undefined =>
  useSyncExternalStore(onChange, () => calibrationOf(imageId));

/** Returns a text such as "Calibrated by hand × 0.87". */
export const calibrationText = ({ factor }: CalibrationFactor): string => {
  const scale = factor.toPrecision(3);
  return t`Calibrated by hand × ${scale}`;
};
