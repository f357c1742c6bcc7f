import { z } from 'zod';
import { del, get, post, put, stream } from './endpoint.ts';

/** What is drawn. Its points stand in the order in which they are set. */
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

export const measurementToolLabels: Record<MeasurementTool, string> = {
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
};

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

/** More than a person draws on a study, and few enough to be shown at once. */
export const mostMeasurements = 1000;

const uid = z.string().regex(/^[0-9.]{1,64}$/, 'A UID is made of digits and dots');
const coordinate = z.number().min(-1e6).max(1e6);
/** In millimetres of the frame of reference (DICOM PS3.3 C.7.6.2); in columns and rows of an image that has none. */
const point = z.tuple([coordinate, coordinate, coordinate]);
const direction = z.tuple([z.number(), z.number(), z.number()]);

type Triple = z.infer<typeof point>;
const dot = (one: Triple, other: Triple): number => one[0] * other[0] + one[1] * other[1] + one[2] * other[2];

export type DrawnPlane = { normal: Triple; up: Triple };

/** Whether its two directions are of length 1 at right angles. */
export const isPlane = ({ normal, up }: DrawnPlane): boolean =>
  [normal, up].every((one) => Math.abs(Math.hypot(...one) - 1) < 1e-3) && Math.abs(dot(normal, up)) < 1e-3;

/** How far from its plane a point may lie, in mm: a length across planes would be none that anybody has seen. */
const offPlane = 0.1;

const areOnPlane = (points: readonly Triple[], { normal }: DrawnPlane): boolean => {
  const depths = points.map((one) => dot(one, normal));
  return Math.max(...depths) - Math.min(...depths) <= offPlane;
};

/** The cosine of a degree: a plane that is turned by less is called by the direction that it nearly has. */
const nearlyOne = Math.cos(Math.PI / 180);

/** How a plane is called by where it looks in the patient. */
export const planeWords = ({ normal }: DrawnPlane): string => {
  const [sagittal, coronal, axial] = normal.map((part) => Math.abs(part) >= nearlyOne);
  if (sagittal) return 'sagittal plane';
  if (coronal) return 'coronal plane';
  return axial ? 'axial plane' : 'oblique plane';
};

/**
 * Where millimetres come from that are not simply the image's: of a radiograph, whose rays fan out, a length is true only
 * at one depth (DICOM PS3.3 10.7.1.3).
 */
export const scaleOrigins = ['DETECTOR', 'MAGNIFICATION', 'CALIBRATED', 'BY_HAND', 'UNKNOWN'] as const;
export type ScaleOrigin = (typeof scaleOrigins)[number];

export const scaleOriginWords: Record<ScaleOrigin, string> = {
  DETECTOR: 'at the detector',
  MAGNIFICATION: 'magnification corrected',
  CALIBRATED: 'calibrated',
  BY_HAND: 'calibrated by hand',
  UNKNOWN: 'magnification unknown',
};

/** What the viewer read off, as its drawer saw it. */
export const measuredValue = z.object({
  quantity: z.enum(measuredQuantities),
  value: z.number(),
  /**
   * As it is written: mm, cm, px, mm², °, HU, SUV, cm/s, s; empty for values without a unit. A CT may name one of its own
   * (Rescale Type, PS3.3 §C.11.1.1.2), which has 64 characters.
   */
  unit: z.string().max(64, 'A unit has 64 characters at most'),
  scale: z.enum(scaleOrigins).optional(),
  /** Of what is calibrated by hand: by how much what the image says itself was multiplied. */
  factor: z.number().positive().max(1e6).optional(),
});
export type MeasuredValue = z.infer<typeof measuredValue>;

/** Where a measurement is and what it says, as it is sent and answered. */
const drawn = {
  tool: z.enum(measurementTools),
  seriesInstanceUID: uid,
  /** The image that it is drawn on; null on a plane through a volume. */
  sopInstanceUID: uid.nullable(),
  /** From 1; null where there is no image. */
  frame: z.int().min(1).max(1_000_000).nullable(),
  /** Null for an image that has none: its points are of that image only. */
  frameOfReferenceUID: uid.nullable(),
  points: z
    .array(point)
    .min(1, 'A measurement has a point at least')
    .max(4000, 'This outline has too many points: draw a simpler one'),
  /**
   * Where a plane through a volume looks and what is up on it, in the frame of reference, both of length 1; null on an
   * image, which says so itself. What is sent is checked; an answer says what is stored, so that one row that is no such
   * plane does not take all others away.
   */
  plane: z.object({ normal: direction, up: direction }).nullable(),
  label: z.string().trim().max(200, 'A label has 200 characters at most'),
  values: z.array(measuredValue).max(40),
};

export const measurementForm = z
  .object({
    ...drawn,
    /** The revision that was changed; 0 for a new measurement. */
    revision: z.int().min(0),
  })
  .refine(({ plane }) => !plane || isPlane(plane), {
    path: ['plane'],
    message: 'A plane has two directions of length 1 at right angles',
  })
  .refine(({ sopInstanceUID, frame }) => (sopInstanceUID === null) === (frame === null), {
    path: ['frame'],
    message: 'A measurement on an image says on which frame, one on a plane has none',
  })
  .refine(({ sopInstanceUID, plane, frameOfReferenceUID }) => sopInstanceUID || (plane && frameOfReferenceUID), {
    path: ['plane'],
    message: 'A measurement that is on no image says on which plane it is',
  })
  .refine((form) => form.tool === 'SPHERE' || !form.plane || areOnPlane(form.points, form.plane), {
    path: ['points'],
    message: 'A measurement on a plane has all its points on it',
  });
export type MeasurementForm = z.infer<typeof measurementForm>;

export const measurement = z.object({
  id: z.string(),
  ...drawn,
  revision: z.number(),
  author: z.object({ username: z.string(), name: z.string() }),
  createdDate: z.string(),
  updatedDate: z.string(),
  /** Whether the caller may change it and take it away: whoever drew it. */
  isMine: z.boolean(),
});
export type Measurement = z.infer<typeof measurement>;

/** By the name in `error`: somebody's other window has changed it meanwhile, or taken it away. */
export const measurementErrors = { changed: 'measurement.changed' } as const;

/**
 * What was measured in a study, by whom. Whoever may see the study sees all of it; only whoever drew a measurement
 * changes it, and whoever else measures draws another one.
 */
export const measurements = {
  /** In the order in which they were drawn. */
  ofStudy: get('/measurements/for-study/:id', { can: 'study.view', reply: z.array(measurement) }),
  /**
   * Keeps a measurement under the id that the viewer has given it, new or changed. The same may be sent again when no
   * answer came. One that was taken away comes back when it is saved with its last revision. 409 `changed` when it is not
   * at `revision` any more.
   */
  save: put('/measurements/for-study/:id/:measurementId', {
    can: 'report.edit',
    body: measurementForm,
    reply: measurement,
  }),
  /** Takes it away; saving it again brings it back. */
  remove: del('/measurements/for-study/:id/:measurementId', {
    can: 'report.edit',
    query: z.object({ revision: z.coerce.number().int().min(1) }),
    reply: z.object({ revision: z.number() }),
  }),
  /**
   * Files what was measured as a DICOM report (PS3.16 TID 1500) in a series of the study. A later one names the one that
   * it takes the place of; where nothing has changed since, the last one is answered. 422 where nothing was measured.
   */
  store: post('/measurements/for-study/:id/store', {
    can: 'report.edit',
    reply: z.object({ seriesInstanceUID: z.string(), sopInstanceUID: z.string(), isNew: z.boolean() }),
  }),
};

/** What was measured in a study as such a report, as application/dicom. 422 where nothing was measured. */
export const measurementsExport = stream('GET', '/api/measurements/for-study/:id/export', 'study.export');

const digitsOf: Record<string, number> = { cm: 2, 'cm²': 2, ml: 2, SUV: 2, s: 3 };

/** What the numbers of an image say; of HU and SUV it is known how large they are. */
const readFromPixels: readonly MeasuredQuantity[] = [
  'MEAN',
  'STANDARD_DEVIATION',
  'MINIMUM',
  'MAXIMUM',
  'PEAK',
  'VALUE',
];
const knownScales: readonly string[] = ['HU', 'SUV'];

/** So many digits count of a number that is read from pixels of any other scale; beyond so many places nothing does. */
const [counting, mostPlaces] = [3, 12];

const placesOf = ({ quantity, value, unit }: MeasuredValue): number => {
  const usual = digitsOf[unit] ?? 1;
  if (!readFromPixels.includes(quantity) || knownScales.includes(unit) || value === 0) return usual;
  return Math.min(mostPlaces, Math.max(usual, counting - 1 - Math.floor(Math.log10(Math.abs(value)))));
};

/**
 * A number as it is read: a tenth of its unit, of centimetres, millilitres and SUV a hundredth, of seconds a thousandth. Of
 * what an image holds on a scale of its own (diffusion, fractions, doses) three digits at least: 0.00085 is not 0.
 */
const writtenNumber = (one: MeasuredValue): string => {
  const places = 10 ** placesOf(one);
  return String(Math.round(one.value * places) / places);
};

/** The same with its unit. */
export const writtenValue = (one: MeasuredValue): string => {
  const number = writtenNumber(one);
  return one.unit === '°' ? `${number}°` : `${number} ${one.unit}`.trim();
};

const withOrigin = (text: string, { scale }: MeasuredValue): string =>
  scale ? `${text} ${scaleOriginWords[scale]}` : text;

/** A ball is read by its mean, its highest number, its peak and its size. */
const partsOfBall = (of: (quantity: MeasuredQuantity) => MeasuredValue | undefined): string[] =>
  (
    [
      ['MEAN', 'mean '],
      ['MAXIMUM', 'max '],
      ['PEAK', 'peak '],
      ['VOLUME', ''],
    ] as const
  ).flatMap(([quantity, word]) => {
    const one = of(quantity);
    return one ? `${word}${writtenValue(one)}` : [];
  });

/** What was measured, each thing by itself: "12.3 mm × 8 mm at the detector"; "251 mm²", "41.2 HU ± 12". */
export const measuredParts = (values: readonly MeasuredValue[]): string[] => {
  const of = (quantity: MeasuredQuantity) => values.find((one) => one.quantity === quantity);
  const [mean, deviation] = [of('MEAN'), of('STANDARD_DEVIATION')];
  if (of('VOLUME')) return partsOfBall(of);
  const [length, ...sides] = [of('LENGTH'), of('SHORT_AXIS')].flatMap((one) => one ?? []);
  const extent = length ? withOrigin([length, ...sides].map(writtenValue).join(' × '), length) : '';
  const [time, velocity] = [of('TIME'), of('VELOCITY')];
  // Over an interval it is how far the velocities at its ends differ, alone it is the velocity at a point.
  const flow = velocity ? `${time ? 'Δv ' : ''}${writtenValue(velocity)}` : '';
  const single = (['ANGLE', 'AREA', 'VALUE'] as const)
    .flatMap((quantity) => of(quantity) ?? [])
    .map((one) => withOrigin(writtenValue(one), one));
  const spread = deviation ? ` ± ${writtenNumber(deviation)}` : '';
  const interval = time ? writtenValue(time) : '';
  return [interval, flow, extent, ...single, mean ? `${writtenValue(mean)}${spread}` : ''].filter(
    (part) => part !== '',
  );
};

/** What was measured, in one line; empty where nothing was. */
export const summaryOf = (values: readonly MeasuredValue[]): string => measuredParts(values).join(' · ');
