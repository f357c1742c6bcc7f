import { t, translated } from '../core/translate.ts';
import { z } from 'zod';
import { get, post, asReading, notAudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { namedPatient } from '../core/named-patient.ts';
import { page, pageQuery } from '../core/paging.ts';

/**
 * States of an identity question. It arises when files of a study do not match the patient with the same Patient ID. An
 * administrator decides: same person, another person, or sent back.
 */
export const identityStates = ['OPEN', 'SAME_PERSON', 'ANOTHER_PERSON', 'SENT_BACK'] as const;
export type IdentityState = (typeof identityStates)[number];

export const identityStateLabels: Record<IdentityState, string> = translated({
  OPEN: 'Identity to be confirmed',
  SAME_PERSON: 'Same person',
  ANOTHER_PERSON: 'Another person',
  SENT_BACK: 'Sent back',
});

/** Origin of an identity question: a new study, further images of a study, or a search of stored images. */
export type IdentityOrigin = 'ARRIVED' | 'ADDED' | 'FOUND';
const identityOrigins = ['ARRIVED', 'ADDED', 'FOUND'] as const satisfies readonly IdentityOrigin[];

/** Fields in which two sources can differ. */
export const identityFields = ['NAME', 'SEX', 'BIRTH_DATE'] as const;
export type IdentityField = (typeof identityFields)[number];

export const identityFieldLabels: Record<IdentityField, string> = translated({
  NAME: 'name',
  SEX: 'sex',
  BIRTH_DATE: 'date of birth',
});

/**
 * Mark of a study with an open identity question: the name of the other patient, or empty if the caller may not see it.
 */
export const identityMark = z.object({
  otherName: z.string(),
  contradictions: z.array(z.enum(identityFields)),
});
export type IdentityMark = z.infer<typeof identityMark>;

/** Error code when a report is signed before the identity question is decided. */
export const identityOpenError = 'identity.open';

/** Minimum length of an identity statement. */
export const shortestStatement = 10;

/**
 * Statement of the reader on how the reader identified the patient. Required to sign before the identity question is
 * decided.
 */
export const identityStatement = z
  .string()
  .trim()
  .max(500, { error: () => t`The statement is longer than 500 characters` })
  .refine((text) => text === '' || text.length >= shortestStatement, {
    error: () => t`Describe how the patient was identified`,
  });

/** Text shown at a signature that was made before the identity question was decided. Empty without a statement. */
export const statedIdentity = (statement: string): string =>
  statement && `Signed before the identity was confirmed. The signer stated: “${statement}”`;

const person = namedPatient.extend({ gender: z.string(), dateOfBirth: z.string().nullable(), issuer: z.string() });

export const identityQuestion = z.object({
  id: z.string(),
  state: z.enum(identityStates),
  origin: z.enum(identityOrigins),
  contradictions: z.array(z.enum(identityFields)),
  /** The patient with this Patient ID. */
  known: person,
  /** The patient according to the files. */
  said: person.omit({ id: true }),
  /**
   * ID of the patient record that holds the study until the question is decided; null if the study stayed with the
   * known patient.
   */
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
  /** Time until which the decision can be undone; null if it cannot be undone. */
  undoUntil: z.string().nullable(),
});
export type IdentityQuestion = z.infer<typeof identityQuestion>;

/** Progress of the search for patients whose studies were mixed up earlier; null before it starts. */
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
  /** Returns open questions, oldest first, or decided questions, newest first. */
  list: get('/identities', {
    can: 'patient.merge',
    audited: asReading('identity.view', 'study'),
    query: z.object({ ...pageQuery, state: z.enum(['OPEN', 'DECIDED']).default('OPEN') }),
    reply: page(identityQuestion),
  }),
  count: get('/identities/count', {
    can: 'patient.merge',
    audited: notAudited.countsOnly,
    reply: z.object({ open: z.number(), search: identitySearch.nullable() }),
  }),
  /**
   * Decides to which patient the study belongs. The decision also applies to other studies of the same provisional
   * patient. Only a study that is sent back goes alone to the recycle bin. 409 if the study has changed since the
   * caller read it. 422 at `confirmedName` if a signed report would move to another patient and the name was not typed.
   */
  decide: post('/identities/:id/decision', {
    can: 'patient.merge',
    audited: 'identity.decide',
    body: z.object({
      decision: z.enum(identityDecisions),
      studyRevision: z.number().int(),
      confirmedName: z.string().trim().max(200).default(''),
    }),
    reply: identityQuestion,
  }),
  /** Undoes a decision within 30 days, so that the question is open again. */
  undo: post('/identities/:id/undo', { can: 'patient.merge', audited: 'identity.undo', reply: identityQuestion }),
};

export const noun = {
  calls: [identities],
  actions: {
    Patient: {
      'identity.open': 'Opened identity question',
      'identity.view': 'Listed identity questions',
      'identity.decide': 'Decided identity question',
      'identity.undo': 'Undid identity decision',
    },
  },
} as const satisfies Noun;
