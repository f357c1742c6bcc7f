import { t } from '../core/translate.ts';
import { z } from 'zod';
import { asReading, del, get, post, put } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { type LesionKind, lesionKinds, lesionStates, statesOfKind } from './lesion-states.ts';
import { type MeasuredQuantity, type MeasuredValue, measurement, type MeasurementTool } from './measurements.ts';

/** Tools whose measurements are offered again in a later study. */
export const lesionTools: readonly MeasurementTool[] = [
  'LENGTH',
  'BIDIRECTIONAL',
  'ELLIPSE',
  'RECTANGLE',
  'FREEHAND',
  'SPHERE',
];

/** A study of the patient in which lesions were measured, or the current study. */
const timepoint = z.object({
  studyId: z.string(),
  studyInstanceUID: z.string(),
  studyDate: z.string().nullable(),
  modality: z.string(),
  description: z.string(),
});
export type LesionTimepoint = z.infer<typeof timepoint>;

const lesionReading = z.object({
  studyId: z.string(),
  /** Null if a user has only stated how the lesion looks. */
  measurementId: z.string().nullable(),
  longMm: z.number().nullable(),
  shortMm: z.number().nullable(),
  state: z.enum(lesionStates).nullable(),
});
export type LesionReading = z.infer<typeof lesionReading>;

const facts = {
  label: z
    .string()
    .trim()
    .max(200, { error: () => t`The label is longer than 200 characters` }),
  organ: z
    .string()
    .trim()
    .max(60, { error: () => t`The organ is longer than 60 characters` }),
  isNode: z.boolean(),
  kind: z.enum(lesionKinds, { error: () => t`Choose a kind` }),
};

/** A lesion that is followed over studies of the patient. */
export const lesion = z.object({
  id: z.string(),
  ...facts,
  revision: z.number(),
  readings: z.array(lesionReading),
});
export type Lesion = z.infer<typeof lesion>;

/** A measurement of an earlier study, to be repeated. */
const priorMeasurement = measurement.extend({ study: timepoint, lesionId: z.string().nullable() });
export type PriorMeasurement = z.infer<typeof priorMeasurement>;

export const lesionsOfStudy = z.object({
  /** Studies with lesions up to the current study, the earliest first. */
  timepoints: z.array(timepoint),
  lesions: z.array(lesion),
  /** Latest measurement of each lesion, and measurements without a lesion, of earlier studies. The newest come first. */
  priors: z.array(priorMeasurement),
  /**
   * Whether earlier readings are left out because the patient has too many studies or measurements. It says nothing about
   * studies that are hidden from the caller, since they are treated as missing.
   */
  areReadingsLeftOut: z.boolean(),
});
export type LesionsOfStudy = z.infer<typeof lesionsOfStudy>;

const revision = z.number({ error: () => t`Revision of the lesion is required` }).int();
const chosenMeasurement = z.uuid({ error: () => t`Choose a measurement` });

/** Returns a length in mm, or null for another unit, such as pixels. */
export const lengthInMm = (values: readonly MeasuredValue[], quantity: MeasuredQuantity): number | null => {
  const measured = values.find((value) => value.quantity === quantity);
  if (measured?.unit === 'mm') return measured.value;
  return measured?.unit === 'cm' ? measured.value * 10 : null;
};

/** Whether a user may choose a state for a lesion of a kind. */
export const isStateOf = (kind: LesionKind, state: z.infer<typeof lesionReading>['state']): boolean =>
  state === null || statesOfKind[kind].includes(state);

/**
 * Lesions of a patient over several studies: their measurements, and the facts for RECIST 1.1 (recist.ts). Only users who
 * edit reports see and change them.
 */
export const lesions = {
  ofStudy: get('/lesions/for-study/:id', {
    can: 'report.edit',
    audited: asReading('lesion.view', 'study', 'study'),
    reply: lesionsOfStudy,
  }),
  /** Adds a lesion to a study, with a measurement of the study or without one. */
  add: post('/lesions/for-study/:id', {
    can: 'report.edit',
    audited: 'lesion.add',
    body: z.object({ ...facts, measurementId: chosenMeasurement.optional() }),
    reply: lesion,
  }),
  /** Links a measurement of the study to a measurement of an earlier study: both show the same lesion. */
  link: put('/lesions/for-study/:id/links/:measurementId', {
    can: 'report.edit',
    audited: 'lesion.link',
    body: z.object({ priorMeasurementId: chosenMeasurement }),
    reply: lesion,
  }),
  unlink: del('/lesions/for-study/:id/links/:measurementId', { can: 'report.edit', audited: 'lesion.unlink' }),
  /** Changes the facts of a lesion. `id` is a study of its patient. 409 if the lesion has changed. */
  save: put('/lesions/for-study/:id/:lesionId', {
    can: 'report.edit',
    audited: 'lesion.save',
    body: z.object({ ...facts, revision }),
    reply: lesion,
  }),
  /** States how a lesion looks in the study; null removes the statement. */
  assess: put('/lesions/for-study/:id/:lesionId/state', {
    can: 'report.edit',
    audited: 'lesion.assess',
    body: z.object({ state: z.enum(lesionStates, { error: () => t`Choose a state` }).nullable() }),
    reply: lesion,
  }),
};

export const noun = {
  calls: [lesions],
  actions: {
    Study: {
      'lesion.view': 'Viewed lesions',
      'lesion.add': 'Added lesion',
      'lesion.link': 'Linked measurement with lesion',
      'lesion.unlink': 'Separated measurement from lesion',
      'lesion.save': 'Edited lesion',
      'lesion.assess': 'Assessed lesion',
    },
  },
} as const satisfies Noun;
