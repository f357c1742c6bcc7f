import { chestInHounsfield, chestInSuv, chestSpheres, hounsfield, markerRod, measuringBall, uptake } from './chest.ts';
import { chestDose, ctPlanes, rescaleIntercept } from './ct.ts';
import { documentContent } from './documents.ts';
import { doseLengthProduct } from './dose-report.ts';
import { pixelOf, type Plane, type Point } from './geometry.ts';
import { headSpheres, signal } from './head-signal.ts';
import { heartbeat, inflowPeaks } from './heart.ts';
import { mrPlanes, mrSeries } from './magnetic-resonance.ts';
import { activityOfSuv1, petPlanes, tracer } from './pet-ct.ts';
import { knownStates } from './presentation-states.ts';
import { leadBalls, plateOf, sideMarker } from './radiograph.ts';
import { valueAt } from './scene.ts';
import { binarySegments, fractionalPlanes, fractionalSegment } from './segmentation.ts';
import { isocenter, outlined } from './structure-set.ts';
import { calipers, columns, dopplerRegion, rows, sweepColumn, tissueRegion } from './ultrasound-picture.ts';

export { doseAt, knownDose } from './dose.ts';
export { pixelOf, pointOf, type Plane, type Point } from './geometry.ts';

/** The index of the slice nearest to a point. */
export const sliceThrough = (point: Point, planes: readonly Plane[]): number => {
  const distances = planes.map((plane) => Math.abs(pixelOf(point, plane).distance));
  return distances.indexOf(Math.min(...distances));
};

/**
 * The content of every chest CT. Positions in mm (left, posterior, superior), radii in mm, values in HU. The center of
 * a sphere or rod has exactly its value with at least 30 slices of 256 rows. With fewer it may be missed or blurred.
 * `tissues` are the surrounding values before noise and blur.
 */
export const ctTruth = {
  spheres: chestSpheres.map(({ name, centre, radius, hounsfield: value }) => ({
    name,
    centre,
    radius,
    hounsfield: value,
  })),
  rods: [markerRod],
  measuringBall,
  tissues: hounsfield,
  rescaleIntercept,
  dose: { ...chestDose, doseLengthProduct },
  planes: ctPlanes,
  hounsfieldAt: (left: number, posterior: number, superior: number): number =>
    valueAt(chestInHounsfield, [left, posterior, superior]),
} as const;

/** The content of every PET in SUV by body weight: the CT spheres that are large enough for its pixels. */
export const petTruth = {
  spheres: chestSpheres
    .filter(({ radius }) => radius >= 12)
    .map(({ name, centre, radius, suv }) => ({ name, centre, radius, suv })),
  tissues: uptake,
  tracer,
  /** Bq/ml */
  activityOfSuv1,
  planes: petPlanes,
  suvAt: (left: number, posterior: number, superior: number): number =>
    valueAt(chestInSuv, [left, posterior, superior]),
} as const;

/** The content of every brain MR: spheres with their signal by weighting, and the slices of the three series. */
export const mrTruth = {
  spheres: headSpheres,
  tissues: signal,
  series: mrSeries.map(({ number, folder, description, weighting, orientation, extent }) => ({
    number,
    folder,
    description,
    weighting,
    planes: (options: { slices?: number; size?: number }) => mrPlanes({ orientation, extent }, options),
  })),
} as const;

/**
 * The content of the cine. `calipers` are two crosses 40 mm apart. `peaks` are the maxima of the Doppler curve in the
 * first beat: seconds, cm/s and pixel (column, row). `sweepColumn` is the column of the green line at a phase of the
 * beat, which identifies the frame.
 */
export const usTruth = {
  columns,
  rows,
  tissue: tissueRegion,
  calipers: { pixels: calipers, distance: 40 },
  doppler: {
    ...dopplerRegion,
    sweepColumn,
    peaks: Object.values(inflowPeaks).map(({ phase, velocity }) => ({
      time: phase * heartbeat,
      velocity,
      pixel: [
        dopplerRegion.first[0] + Math.round((phase * heartbeat) / dopplerRegion.secondsPerPixel),
        dopplerRegion.baseline - Math.round(velocity / dopplerRegion.velocityPerPixel),
      ] as const,
    })),
  },
} as const;

/**
 * The content of every radiograph: two lead balls, 100 mm apart, on the patient's right, and the letter L on the left.
 */
export const crTruth = {
  plate: plateOf,
  leadBalls,
  ballDistance: 100,
  sideMarker,
} as const;

/** The content of the documents and presentation states of a chest CT. */
export const documentTruth = { content: documentContent, states: knownStates } as const;

/** The markings of a chest CT in its segmentations and structure set. The spheres are those of the CT. */
export const markedTruth = {
  binary: binarySegments,
  fractional: { ...fractionalSegment, planes: fractionalPlanes },
  outlined,
  isocentre: isocenter,
} as const;
