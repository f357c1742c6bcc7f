import { z } from 'zod';
import { get, post } from './endpoint.ts';
import { namedPatient } from './named-patient.ts';
import { page, pageQuery } from './paging.ts';

/**
 * Studies whose files contradict the patient who has their PatientID. Each is a question for an
 * administrator: of the same person, of another person, or to be sent back.
 */
export const identityStates = ['OPEN', 'SAME_PERSON', 'ANOTHER_PERSON', 'SENT_BACK'] as const;
export type IdentityState = (typeof identityStates)[number];

export const identityStateLabels: Record<IdentityState, string> = {
  OPEN: 'Identity to be confirmed',
  SAME_PERSON: 'Same person',
  ANOTHER_PERSON: 'Another person',
  SENT_BACK: 'Sent back',
};

/** How a question came up: with a new study, with further images of a study, or in a search through what is stored. */
export type IdentityOrigin = 'ARRIVED' | 'ADDED' | 'FOUND';
const identityOrigins = ['ARRIVED', 'ADDED', 'FOUND'] as const satisfies readonly IdentityOrigin[];

/** Fields that two sources give differently. */
export const identityFields = ['NAME', 'SEX', 'BIRTH_DATE'] as const;
export type IdentityField = (typeof identityFields)[number];

export const identityFieldLabels: Record<IdentityField, string> = {
  NAME: 'name',
  SEX: 'sex',
  BIRTH_DATE: 'birth date',
};

/** The organisation's choice for files that contradict the patient who has their PatientID. */
export const contradictingPatients = ['KEEP', 'REFUSE_TWO', 'REFUSE'] as const;
export type ContradictingPatients = (typeof contradictingPatients)[number];

/**
 * The organisation that assigned patient IDs (IssuerOfPatientID, an LO of PS3.5 §6.2), for a way in whose files name none;
 * empty for an unnamed one.
 */
export const issuerOfWay = z
  .string()
  .trim()
  .max(64, 'The issuer is longer than 64 characters')
  .regex(/^[^\\\p{Cc}]*$/u, 'The issuer must not have a backslash or a line break');

/** On a study whose identity is open: the other patient's name, empty where that is not the caller's to know. */
export const identityMark = z.object({
  otherName: z.string(),
  contradictions: z.array(z.enum(identityFields)),
});
export type IdentityMark = z.infer<typeof identityMark>;

/** How a report is refused that is signed before the identity of its study is decided. */
export const identityOpenError = 'identity.open';

/** Fewest letters of a statement of identity. */
export const shortestStatement = 10;

/** How the reader identified the patient, where they sign before the identity is decided. */
export const identityStatement = z
  .string()
  .trim()
  .max(500, 'The statement is longer than 500 characters')
  .refine(
    (text) => text === '' || text.length >= shortestStatement,
    'Say in a few words how the patient was identified',
  );

const person = namedPatient.extend({ gender: z.string(), dateOfBirth: z.string().nullable(), issuer: z.string() });

export const identityQuestion = z.object({
  id: z.string(),
  state: z.enum(identityStates),
  origin: z.enum(identityOrigins),
  contradictions: z.array(z.enum(identityFields)),
  /** The patient who has the PatientID. */
  known: person,
  /** The patient as the files have it. */
  said: person.omit({ id: true }),
  /** The patient under whom the study is filed meanwhile; null where it stayed with the known one. */
  provisionalPatientId: z.string().nullable(),
  study: z.object({
    id: z.string(),
    revision: z.number(),
    description: z.string(),
    modality: z.string(),
    studyDate: z.string().nullable(),
    accessionNumber: z.string(),
    instanceCount: z.number(),
    signedReports: z.number(),
  }),
  openedDate: z.string(),
  decidedDate: z.string().nullable(),
  decidedBy: z.string(),
  /** Until when a decision can be undone; null when it cannot. */
  undoUntil: z.string().nullable(),
});
export type IdentityQuestion = z.infer<typeof identityQuestion>;

/** How far the search for patients that were mixed before has come; null before it has begun. */
export const identitySearch = z.object({
  patientsLookedAt: z.number(),
  patientsInAll: z.number(),
  studiesFound: z.number(),
  finishedDate: z.string().nullable(),
});
export type IdentitySearch = z.infer<typeof identitySearch>;

export const identityDecisions = ['SAME_PERSON', 'ANOTHER_PERSON', 'SENT_BACK'] as const;
export type IdentityDecision = (typeof identityDecisions)[number];

export const identities = {
  /** Open questions, the oldest first, or those decided last. */
  list: get('/identities', {
    can: 'patient.merge',
    query: z.object({ ...pageQuery, state: z.enum(['OPEN', 'DECIDED']).default('OPEN') }),
    reply: page(identityQuestion),
  }),
  count: get('/identities/count', {
    can: 'patient.merge',
    reply: z.object({ open: z.number(), search: identitySearch.nullable() }),
  }),
  /**
   * Decides whose images the study has. The other studies under the same provisional patient are decided with it, unless the study
   * is sent back: that goes to the recycle bin alone. 409 when the study was changed since it was looked at; 422 at
   * `confirmedName` where a signed report goes to another patient and their name was not typed.
   */
  decide: post('/identities/:id/decision', {
    can: 'patient.merge',
    body: z.object({
      decision: z.enum(identityDecisions),
      studyRevision: z.number().int(),
      confirmedName: z.string().trim().max(200).default(''),
    }),
    reply: identityQuestion,
  }),
  /** Takes a decision back, for 30 days; the question is open again. */
  undo: post('/identities/:id/undo', { can: 'patient.merge', reply: identityQuestion }),
};
