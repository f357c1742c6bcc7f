import { translated } from '../core/translate.ts';
import { z } from 'zod';
import { get, post, asReading } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { namedPatient } from '../core/named-patient.ts';
import { patientDetails, patientIdentifier, patientRow } from './patients.ts';

/** MERGE joins two patient records of one person. MOVE files one study under another patient. */
export type MergeKind = 'MERGE' | 'MOVE';
const mergeKinds = ['MERGE', 'MOVE'] as const satisfies readonly MergeKind[];

/** Number of days in which a merge or move can be undone. */
export const undoDays = 30;

/** Fields in which two records can differ, or files can differ from a record. */
export const patientFields = ['patientName', 'gender', 'dateOfBirth', 'address', 'phoneNumber', 'email'] as const;
export type PatientField = (typeof patientFields)[number];

/** Labels of the fields. */
export const patientFieldLabels: Record<PatientField, string> = translated({
  patientName: 'Name',
  gender: 'Gender',
  dateOfBirth: 'Date of birth',
  address: 'Address',
  phoneNumber: 'Phone',
  email: 'Email',
});

/** Record from which the value of a field is taken. */
const side = z.enum(['survivor', 'source']);

const fieldChoice = z.object({
  field: z.enum(patientFields),
  /** Value as shown; empty if the record has none. */
  survivor: z.string(),
  source: z.string(),
  /** Default choice: the value of the survivor, if the survivor has a value. */
  kept: side,
});

const counts = z.object({ studies: z.number(), reports: z.number() });

/** Effects that merging the records now would have. Changes nothing. */
export const mergePreview = z.object({
  survivor: patientDetails,
  source: patientDetails,
  differences: z.array(fieldChoice),
  /** Fields that rarely change in a person. Records that differ in these fields mostly belong to two people. */
  contradictions: z.array(z.enum(patientFields)),
  /** Numbers of items that the merge would move, including studies in the recycle bin. */
  moves: counts.extend({ identifiers: z.array(patientIdentifier) }),
});
export type MergePreview = z.infer<typeof mergePreview>;

/** Effects that moving the study now would have. Its reports move with it. */
export const movePreview = z.object({
  study: z.object({
    id: z.string(),
    revision: z.number(),
    description: z.string(),
    modality: z.string(),
    studyDate: z.string().nullable(),
    accessionNumber: z.string(),
  }),
  from: patientDetails,
  to: patientDetails,
  moves: counts.extend({
    /** Number of signed reports. Their text may name the first patient, and a move does not change it. */
    signedReports: z.number(),
    /** Number of share links to reports of the study. A move closes them. */
    links: z.number(),
  }),
  /** Name of the target patient, which the caller must send as `confirmedName` if reports are signed. */
  nameToConfirm: z.string(),
  /** Differences between the records of both patients. The study will show the values of the target patient. */
  differences: z.array(fieldChoice.omit({ kept: true })),
});
export type MovePreview = z.infer<typeof movePreview>;

/** Name and Patient ID are empty if the caller may not see the patient. */
export const patientMerge = z.object({
  id: z.string(),
  kind: z.enum(mergeKinds),
  survivor: namedPatient,
  source: namedPatient,
  studyCount: z.number(),
  /**
   * Number of reports that were signed since the merge, in studies that an undo would return. After the undo, these
   * reports may name the wrong patient.
   */
  signedSince: z.number(),
  madeBy: z.string(),
  madeDate: z.string(),
  undoneDate: z.string().nullable(),
  /** Time until which it can be undone. Null if it cannot be undone at present; `reason` says why. */
  undoUntil: z.string().nullable(),
  reason: z.string(),
});
export type PatientMerge = z.infer<typeof patientMerge>;

/** Reasons why two records may belong to one person. */
export const duplicateReasons = [
  'SAME_NAME',
  'SIMILAR_NAME',
  'SAME_DATE_OF_BIRTH',
  'SAME_GENDER',
  'SAME_PHONE',
] as const;
export type DuplicateReason = (typeof duplicateReasons)[number];

const duplicate = z.object({
  patient: patientRow,
  reasons: z.array(z.enum(duplicateReasons)),
  /** Fields with different values in both records. They suggest two people. */
  contradictions: z.array(z.enum(patientFields)),
});
export type Duplicate = z.infer<typeof duplicate>;

/** Columns that files can fill. */
export type PatientColumn = 'patient_name' | 'gender' | 'date_of_birth' | 'address' | 'phone_number';

/** A value in the files that differs from the record. The record stays unchanged until a user accepts the value. */
const patientDifference = z.object({
  id: z.string(),
  field: z.enum(patientFields),
  recorded: z.string(),
  arrived: z.string(),
  /** ID of the first study with this value; null if it was deleted or the caller may not see it. */
  studyId: z.string().nullable(),
  foundDate: z.string(),
});
export type PatientDifference = z.infer<typeof patientDifference>;

const decision = z.object({ differenceId: z.uuid(), revision: z.number().int() });

export const patientMerges = {
  previewMerge: get('/patients/:id/merge-preview/:sourceId', {
    can: 'patient.merge',
    audited: asReading('patient.viewIdentity', 'patient', 'patient'),
    reply: mergePreview,
  }),
  /**
   * Merges the source into the patient in the path. 409 if either has changed since the caller read it. 422 at
   * `isOnePerson` if the records contradict each other and the caller did not confirm that they belong to one person.
   */
  merge: post('/patients/:id/merges', {
    can: 'patient.merge',
    audited: 'patient.merge',
    body: z.object({
      sourceId: z.uuid(),
      revision: z.number().int(),
      sourceRevision: z.number().int(),
      /** Record from which each field is taken. For missing fields, the default of the preview applies. */
      keep: z.partialRecord(z.enum(patientFields), side).default({}),
      isOnePerson: z.boolean().default(false),
    }),
    reply: patientMerge,
  }),
  previewMove: get('/studies/:id/move-preview/:patientId', {
    can: 'patient.merge',
    audited: asReading('patient.viewIdentity', 'study', 'study'),
    reply: movePreview,
  }),
  /**
   * Moves a study to the patient in the path. 409 if study or patient has changed since the caller read it. 422 at
   * `confirmedName` if reports are signed and the name of the target patient is missing.
   */
  move: post('/patients/:id/moves', {
    can: 'patient.merge',
    audited: 'patient.move_study',
    body: z.object({
      studyId: z.uuid(),
      studyRevision: z.number().int(),
      fromId: z.uuid(),
      /** Revision of the target patient in the preview. */
      toRevision: z.number().int(),
      confirmedName: z.string().trim().max(200).default(''),
    }),
    reply: patientMerge,
  }),
  /** Returns merges and moves of the patient, newest first. */
  history: get('/patients/:id/merges', {
    can: 'patient.edit',
    audited: asReading('patient.viewIdentity', 'patient', 'patient'),
    reply: z.array(patientMerge),
  }),
  undo: post('/patients/:id/merges/:mergeId/undo', {
    can: 'patient.merge',
    audited: 'patient.undo',
    reply: patientMerge,
  }),
  /** Returns records that may belong to the same person, the most likely first. */
  duplicates: get('/patients/:id/duplicates', {
    can: 'patient.merge',
    audited: asReading('patient.viewIdentity', 'patient', 'patient'),
    reply: z.array(duplicate),
  }),
  differences: get('/patients/:id/differences', {
    can: 'patient.edit',
    audited: asReading('patient.viewIdentity', 'patient', 'patient'),
    reply: z.array(patientDifference),
  }),
  /** Copies the value from the files into the record. */
  acceptDifference: post('/patients/:id/differences/accept', {
    can: 'patient.edit',
    audited: 'patient.accept_difference',
    body: decision,
    reply: patientDetails,
  }),
  /** Keeps the value in the record. The same difference is not shown again. */
  dismissDifference: post('/patients/:id/differences/dismiss', {
    can: 'patient.edit',
    audited: 'patient.dismiss_difference',
    body: decision.omit({ revision: true }),
  }),
};

export const noun = {
  calls: [patientMerges],
  actions: {
    Patient: {
      'patient.viewIdentity': 'Compared patient records',
      'patient.merge': 'Merged patients',
      'patient.undo': 'Undid patient merge',
      'patient.move_study': 'Moved study to patient',
      'patient.accept_difference': 'Accepted difference',
      'patient.dismiss_difference': 'Dismissed difference',
    },
  },
} as const satisfies Noun;
