import { chestInHounsfield, chestInSuv, chestSpheres, hounsfield, markerRod, measuringBall, uptake } from './chest.ts';
import { chestDose, ctPlanes, rescaleIntercept } from './ct.ts';
import { documentContent } from './documents.ts';
import { doseLengthProduct } from './dose-report.ts';
import { pixelOf, type Plane, type Point } from './geometry.ts';
import { headSpheres, signal } from './head-signal.ts';
import { beat, inflowPeaks } from './heart.ts';
import { mrPlanes, mrSeries } from './magnetic-resonance.ts';
import { activityOfSuv1, petPlanes, tracer } from './pet-ct.ts';
import { knownStates } from './presentation-states.ts';
import { leadBalls, plateOf, sideMarker } from './radiograph.ts';
import { valueAt } from './scene.ts';
import { binarySegments, fractionalPlanes, fractionalSegment } from './segmentation.ts';
import { isocentre, outlined } from './structure-set.ts';
import { calipers, columns, dopplerRegion, rows, sweepColumn, tissueRegion } from './ultrasound-picture.ts';

export { pixelOf, pointOf, type Plane, type Point } from './geometry.ts';

/** The index of the slice that lies nearest to a point. */
export const sliceThrough = (point: Point, planes: readonly Plane[]): number => {
  const distances = planes.map((plane) => Math.abs(pixelOf(point, plane).distance));
  return distances.indexOf(Math.min(...distances));
};

/**
 * What is in every chest CT. Positions in mm (left, posterior, superior), radii in mm, values in HU. The middle of a
 * sphere or rod reads its value exactly, from 30 slices of 256 rows on; fewer may miss it or blur it. `tissues` are
 * the values around, before noise and blur.
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

/** What is in every PET, in SUV by body weight: the spheres of the CT that are large enough for its pixels. */
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

/** What is in every brain MR: balls with their signal, by weighting, and the slices of the three series. */
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
 * What a pixel of the cine is worth. `calipers` are two crosses, 40 mm apart. `peaks` are the highest points of the
 * Doppler curve in the first beat: seconds, cm/s and the pixel (column, row) they are drawn at. `sweepColumn` is where the
 * green line stands at a phase of the beat: it tells which frame one sees.
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
      time: phase * beat,
      velocity,
      pixel: [
        dopplerRegion.first[0] + Math.round((phase * beat) / dopplerRegion.secondsPerPixel),
        dopplerRegion.baseline - Math.round(velocity / dopplerRegion.velocityPerPixel),
      ] as const,
    })),
  },
} as const;

/** What is on every radiograph: two balls of lead, 100 mm apart, on the patient's right; the letter L on the left. */
export const crTruth = {
  plate: plateOf,
  leadBalls,
  ballDistance: 100,
  sideMarker,
} as const;

/** What is in the documents and the presentation states of a chest CT. */
export const documentTruth = { content: documentContent, states: knownStates } as const;

/** What is marked on a chest CT by the segmentations and the structure set that go with it; the balls are the CT's. */
export const markedTruth = {
  binary: binarySegments,
  fractional: { ...fractionalSegment, planes: fractionalPlanes },
  outlined,
  isocentre,
} as const;
