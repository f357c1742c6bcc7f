import { t, translated } from '../core/translate.ts';
import { z } from 'zod';
import { del, get, post, put, stream, asReading } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';

/** Tools. Each stores its points in the order in which the user places them. */
export const measurementTools = [
  'LENGTH',
  'ANGLE',
  'COBB_ANGLE',
  'BIDIRECTIONAL',
  'ELLIPSE',
  'RECTANGLE',
  'FREEHAND',
  'PROBE',
  'SPHERE',
  'ARROW',
  'TEXT',
] as const;
export type MeasurementTool = (typeof measurementTools)[number];

export const measurementToolLabels: Record<MeasurementTool, string> = translated({
  LENGTH: 'Length',
  ANGLE: 'Angle',
  COBB_ANGLE: 'Cobb angle',
  BIDIRECTIONAL: 'Bidirectional',
  ELLIPSE: 'Ellipse',
  RECTANGLE: 'Rectangle',
  FREEHAND: 'Outline',
  PROBE: 'Value at a point',
  SPHERE: 'Sphere',
  ARROW: 'Arrow',
  TEXT: 'Text',
});

export const measuredQuantities = [
  'LENGTH',
  'SHORT_AXIS',
  'ANGLE',
  'PERIMETER',
  'AREA',
  'VOLUME',
  'MEAN',
  'STANDARD_DEVIATION',
  'MINIMUM',
  'MAXIMUM',
  'PEAK',
  'VALUE',
  'VELOCITY',
  'TIME',
] as const;
export type MeasuredQuantity = (typeof measuredQuantities)[number];

/** Maximum number of measurements in a study. It is more than a user draws, yet few enough to show together. */
export const mostMeasurements = 1000;

const uid = z.string().regex(/^[0-9.]{1,64}$/, { error: () => t`A UID contains digits and dots only` });
const coordinate = z.number().min(-1e6).max(1e6);
/** Point in mm of the frame of reference (PS3.3 C.7.6.2). If the image has no frame of reference, column and row. */
const point = z.tuple([coordinate, coordinate, coordinate]);
const direction = z.tuple([z.number(), z.number(), z.number()]);

type Triple = z.infer<typeof point>;
const dot = (one: Triple, other: Triple): number => one[0] * other[0] + one[1] * other[1] + one[2] * other[2];

export type DrawnPlane = { normal: Triple; up: Triple };

/** Whether both directions have length 1 and are at right angles. */
export const isPlane = ({ normal, up }: DrawnPlane): boolean =>
  [normal, up].every((one) => Math.abs(Math.hypot(...one) - 1) < 1e-3) && Math.abs(dot(normal, up)) < 1e-3;

/** Largest distance of a point from its plane, in mm. A length across planes would not match any visible image. */
const offPlane = 0.1;

const areOnPlane = (points: readonly Triple[], { normal }: DrawnPlane): boolean => {
  const depths = points.map((one) => dot(one, normal));
  return Math.max(...depths) - Math.min(...depths) <= offPlane;
};

/** Cosine of one degree. A plane tilted by less than one degree counts as axial, sagittal or coronal. */
const nearlyOne = Math.cos(Math.PI / 180);

/** Returns the name of a plane by its orientation in the patient. */
export const planeWords = ({ normal }: DrawnPlane): string => {
  const [sagittal, coronal, axial] = normal.map((part) => Math.abs(part) >= nearlyOne);
  if (sagittal) return 'sagittal plane';
  if (coronal) return 'coronal plane';
  return axial ? 'axial plane' : 'oblique plane';
};

/**
 * Origins of a scale in mm, other than the scale of the image itself. In a projection radiograph the rays diverge, so a
 * length is true at only one depth (PS3.3 10.7.1.3).
 */
export const scaleOrigins = ['DETECTOR', 'MAGNIFICATION', 'CALIBRATED', 'BY_HAND', 'UNKNOWN'] as const;
export type ScaleOrigin = (typeof scaleOrigins)[number];

export const scaleOriginWords: Record<ScaleOrigin, string> = translated({
  DETECTOR: 'at the detector',
  MAGNIFICATION: 'magnification corrected',
  CALIBRATED: 'calibrated',
  BY_HAND: 'calibrated by hand',
  UNKNOWN: 'magnification unknown',
});

/** A measured value, as the author of the measurement saw it. */
export const measuredValue = z.object({
  quantity: z.enum(measuredQuantities),
  value: z.number(),
  /**
   * Unit as shown: mm, cm, px, mm², °, HU, SUV, cm/s, s. Empty without a unit. A CT may name its own unit of up to 64
   * characters (Rescale Type, PS3.3 §C.11.1.1.2).
   */
  unit: z.string().max(64, { error: () => t`The unit is longer than 64 characters` }),
  scale: z.enum(scaleOrigins).optional(),
  /** For manual calibration: factor by which the scale of the image is multiplied. */
  factor: z.number().positive().max(1e6).optional(),
});
export type MeasuredValue = z.infer<typeof measuredValue>;

/** Position and content of a measurement, in requests and responses. */
const drawingFields = {
  tool: z.enum(measurementTools),
  seriesInstanceUID: uid,
  /** UID of the image; null on a plane through a volume. */
  sopInstanceUID: uid.nullable(),
  /** Frame number, from 1; null without an image. */
  frame: z.int().min(1).max(1_000_000).nullable(),
  /** Null for an image without a frame of reference. The points then apply only to that image. */
  frameOfReferenceUID: uid.nullable(),
  points: z
    .array(point)
    .min(1, { error: () => t`A measurement needs at least one point` })
    .max(4000, { error: () => t`The outline has too many points. Draw a simpler one.` }),
  /**
   * Normal and up direction of a plane through a volume, in the frame of reference, each of length 1. Null on an image.
   * Requests are validated. Responses are not, because one invalid row would hide all others.
   */
  plane: z.object({ normal: direction, up: direction }).nullable(),
  label: z
    .string()
    .trim()
    .max(200, { error: () => t`The label is longer than 200 characters` }),
  values: z.array(measuredValue).max(40),
};

export const measurementForm = z
  .object({
    ...drawingFields,
    /** Revision on which the change is based; 0 for a new measurement. */
    revision: z.int().min(0),
  })
  .refine(({ plane }) => !plane || isPlane(plane), {
    path: ['plane'],
    error: () => t`A plane needs two perpendicular directions of length 1`,
  })
  .refine(({ sopInstanceUID, frame }) => (sopInstanceUID === null) === (frame === null), {
    path: ['frame'],
    error: () =>
      t`A measurement on an image needs a frame number. A measurement on a plane must not have a frame number.`,
  })
  .refine(({ sopInstanceUID, plane, frameOfReferenceUID }) => sopInstanceUID || (plane && frameOfReferenceUID), {
    path: ['plane'],
    error: () => t`A measurement without an image needs a plane`,
  })
  .refine((form) => form.tool === 'SPHERE' || !form.plane || areOnPlane(form.points, form.plane), {
    path: ['points'],
    error: () => t`All points of the measurement must lie on its plane`,
  });
export type MeasurementForm = z.infer<typeof measurementForm>;

export const measurement = z.object({
  id: z.string(),
  ...drawingFields,
  revision: z.number(),
  author: z.object({ username: z.string(), name: z.string() }),
  createdDate: z.string(),
  updatedDate: z.string(),
  /** Whether the caller drew the measurement and so may change and remove it. */
  isMine: z.boolean(),
});
export type Measurement = z.infer<typeof measurement>;

/** Values of `error`. `changed`: the user changed or removed the measurement in another window. */
export const measurementErrors = { changed: 'measurement.changed' } as const;

/**
 * Measurements of a study, with their authors. All users who see the study see them. Only the author can change a
 * measurement; other users draw their own.
 */
export const measurements = {
  /** Returns the measurements in the order of creation. */
  ofStudy: get('/measurements/for-study/:id', {
    can: 'study.view',
    audited: asReading('measurement.view', 'study', 'study'),
    reply: z.array(measurement),
  }),
  /**
   * Saves a new or changed measurement under the ID that the viewer chose. A caller without a response may retry.
   * Saving a removed measurement with its last revision restores it. 409 `changed` if `revision` is outdated.
   */
  save: put('/measurements/for-study/:id/:measurementId', {
    can: 'report.edit',
    audited: 'measurement.save',
    body: measurementForm,
    reply: measurement,
  }),
  /** Removes the measurement. Saving it again restores it. */
  remove: del('/measurements/for-study/:id/:measurementId', {
    can: 'report.edit',
    audited: 'measurement.remove',
    query: z.object({ revision: z.coerce.number().int().min(1) }),
    reply: z.object({ revision: z.number() }),
  }),
  /**
   * Stores the measurements in the study as a DICOM report (PS3.16 TID 1500). A later report names the report that it
   * replaces. If nothing has changed, returns the report stored last. 422 if there are no measurements.
   */
  store: post('/measurements/for-study/:id/store', {
    can: 'report.edit',
    audited: 'measurement.store',
    reply: z.object({ seriesInstanceUID: z.string(), sopInstanceUID: z.string(), isNew: z.boolean() }),
  }),
};

/** Exports the measurements of a study as a TID 1500 report (application/dicom). 422 if there are none. */
export const measurementsExport = stream(
  'GET',
  '/api/measurements/for-study/:id/export',
  'study.export',
  'measurement.export',
);

export const noun = {
  calls: [measurements],
  streams: [measurementsExport],
  actions: {
    Study: {
      'measurement.view': 'Viewed measurements',
      'measurement.save': 'Saved measurement',
      'measurement.remove': 'Deleted measurement',
      'measurement.export': 'Exported measurements',
      'measurement.store': 'Stored measurements in study',
      'measurement.follow': 'Received annotations of moved series',
    },
  },
} as const satisfies Noun;
