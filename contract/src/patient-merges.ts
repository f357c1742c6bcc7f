import { z } from 'zod';
import { get, post } from './endpoint.ts';
import { namedPatient } from './named-patient.ts';
import { patientDetails, patientIdentifier, patientRow } from './patients.ts';

/** Two records that are of one person are put together; a study that stands under the wrong person is moved. */
export type MergeKind = 'MERGE' | 'MOVE';
const mergeKinds = ['MERGE', 'MOVE'] as const satisfies readonly MergeKind[];

/** For how many days a merge or a move can be undone. */
export const undoDays = 30;

/** What two records of one person may say differently, and what files may say otherwise than a record. */
export const patientFields = ['patientName', 'gender', 'dateOfBirth', 'address', 'phoneNumber', 'email'] as const;
export type PatientField = (typeof patientFields)[number];

/** What people call them. */
export const patientFieldLabels: Record<PatientField, string> = {
  patientName: 'Name',
  gender: 'Gender',
  dateOfBirth: 'Date of birth',
  address: 'Address',
  phoneNumber: 'Phone',
  email: 'Email',
};

/** Which of the two records a field is taken from. */
const side = z.enum(['survivor', 'source']);

const fieldChoice = z.object({
  field: z.enum(patientFields),
  /** As they are shown; empty when a record does not say. */
  survivor: z.string(),
  source: z.string(),
  /** What is kept unless somebody chooses: the survivor's, where it says anything. */
  kept: side,
});

const counts = z.object({ studies: z.number(), reports: z.number() });

/** What would happen if the records were merged now; nothing has. */
export const mergePreview = z.object({
  survivor: patientDetails,
  source: patientDetails,
  differences: z.array(fieldChoice),
  /** What no person changes often, and the records say differently: two that differ in it are mostly two people. */
  contradictions: z.array(z.enum(patientFields)),
  /** Studies in the recycle bin move as well. */
  moves: counts.extend({ identifiers: z.array(patientIdentifier) }),
});
export type MergePreview = z.infer<typeof mergePreview>;

/** What would happen if the study were moved now; its reports follow it. */
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
    /** Reports whose text is signed, and may name the first patient: it is not changed by a move. */
    signedReports: z.number(),
    /** Links by which people without an account read a report of the study; a move closes them. */
    links: z.number(),
  }),
  /** What to type as `confirmedName` where reports are signed: how the patient is called whom the study goes to. */
  nameToConfirm: z.string(),
  /** What the two patients' records say differently: the study is going to be shown under the second. */
  differences: z.array(fieldChoice.omit({ kept: true })),
});
export type MovePreview = z.infer<typeof movePreview>;

/** Name and ID are empty where the patient is not the caller's to know. */
export const patientMerge = z.object({
  id: z.string(),
  kind: z.enum(mergeKinds),
  survivor: namedPatient,
  source: namedPatient,
  studyCount: z.number(),
  /** Reports that were signed since, of studies that go back when it is undone: they may name the wrong patient then. */
  signedSince: z.number(),
  madeBy: z.string(),
  madeDate: z.string(),
  undoneDate: z.string().nullable(),
  /** Until when it can be undone; null when it cannot be, any more or at all now, and `reason` then says why. */
  undoUntil: z.string().nullable(),
  reason: z.string(),
});
export type PatientMerge = z.infer<typeof patientMerge>;

/** Why two records may be of one person. */
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
  /** What speaks against it: fields that both records know and that differ. */
  contradictions: z.array(z.enum(patientFields)),
});
export type Duplicate = z.infer<typeof duplicate>;

/** The columns that files can say anything about. */
export type PatientColumn = 'patient_name' | 'gender' | 'date_of_birth' | 'address' | 'phone_number';

/** Something that files say of a patient otherwise than the record; the record stays until somebody accepts it. */
const patientDifference = z.object({
  id: z.string(),
  field: z.enum(patientFields),
  recorded: z.string(),
  arrived: z.string(),
  /** The study whose files said so first; null when it is gone, or not the caller's to know. */
  studyId: z.string().nullable(),
  foundDate: z.string(),
});
export type PatientDifference = z.infer<typeof patientDifference>;

const decision = z.object({ differenceId: z.uuid(), revision: z.number().int() });

export const patientMerges = {
  previewMerge: get('/patients/:id/merge-preview/:sourceId', { can: 'patient.merge', reply: mergePreview }),
  /**
   * Puts the source into the patient of the address. 409 when either was changed since it was looked at. Records that
   * contradict each other are merged only by somebody who says that they are of one person; 422 at `isOnePerson`
   * otherwise.
   */
  merge: post('/patients/:id/merges', {
    can: 'patient.merge',
    body: z.object({
      sourceId: z.uuid(),
      revision: z.number().int(),
      sourceRevision: z.number().int(),
      /** Fields that are taken from the one or the other; what is not named is as the preview says. */
      keep: z.partialRecord(z.enum(patientFields), side).default({}),
      isOnePerson: z.boolean().default(false),
    }),
    reply: patientMerge,
  }),
  previewMove: get('/studies/:id/move-preview/:patientId', { can: 'patient.merge', reply: movePreview }),
  /**
   * Moves a study to the patient of the address. 409 when study or patient was changed since it was looked at. A study
   * with signed reports moves only with the name of that patient; 422 at `confirmedName` without it.
   */
  move: post('/patients/:id/moves', {
    can: 'patient.merge',
    body: z.object({
      studyId: z.uuid(),
      studyRevision: z.number().int(),
      fromId: z.uuid(),
      /** Of the patient whom it goes to, as the preview showed them. */
      toRevision: z.number().int(),
      confirmedName: z.string().trim().max(200).default(''),
    }),
    reply: patientMerge,
  }),
  /** Merges and moves that the patient was part of, the latest first. */
  history: get('/patients/:id/merges', { can: 'patient.edit', reply: z.array(patientMerge) }),
  undo: post('/patients/:id/merges/:mergeId/undo', { can: 'patient.merge', reply: patientMerge }),
  /** Records that may be of the same person, the likeliest first. */
  duplicates: get('/patients/:id/duplicates', { can: 'patient.merge', reply: z.array(duplicate) }),
  differences: get('/patients/:id/differences', { can: 'patient.edit', reply: z.array(patientDifference) }),
  /** The record takes over what the files say. */
  acceptDifference: post('/patients/:id/differences/accept', {
    can: 'patient.edit',
    body: decision,
    reply: patientDetails,
  }),
  /** The record stays; nobody is asked about this again. */
  dismissDifference: post('/patients/:id/differences/dismiss', {
    can: 'patient.edit',
    body: decision.omit({ revision: true }),
  }),
};
