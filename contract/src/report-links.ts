import { z } from 'zod';

/** What whoever opens a link is asked for, if anything. */
export const linkQuestions = ['PASSCODE', 'BIRTH_DATE'] as const;
export type LinkQuestion = (typeof linkQuestions)[number];

/** So many wrong codes in a row, and a link waits. */
export const wrongCodesAtMost = 5;
/** How long it then waits. */
export const lockMinutes = 15;

/** A way for somebody without an account to read a finalized report. `linkHash` is shown once more to whoever may share. */
export const reportLink = z.object({
  linkHash: z.string(),
  expiresAt: z.string(),
  createdAt: z.string(),
  openCount: z.number(),
  lastOpenedAt: z.string().nullable(),
  question: z.enum(linkQuestions).nullable(),
  /** After so many opens it is used up; null for no limit. */
  maxOpens: z.number().nullable(),
  /** Until when it waits after too many wrong codes. */
  lockedUntil: z.string().nullable(),
});
export type ReportLink = z.infer<typeof reportLink>;

/** What a link is made with. What is left out is as the tenant says: its days, no code, no limit. */
export const reportLinkForm = z
  .object({
    days: z.int('Use whole days').min(1, 'At least one day').max(3650, 'At most 3650 days').optional(),
    passcode: z
      .string()
      .trim()
      .min(6, 'The passcode has at least 6 characters')
      .max(64, 'The passcode has at most 64 characters')
      .optional(),
    asksBirthDate: z.boolean().default(false),
    maxOpens: z.int('Use a whole number').min(1, 'At least one').max(1000, 'At most 1000').nullish(),
    /** The record of the patient whose report is shared (`Report`): refused once the study is of another one. */
    patientRecordId: z.uuid('Say whose report is shared').optional(),
  })
  .refine(({ passcode, asksBirthDate }) => !(passcode && asksBirthDate), {
    path: ['passcode'],
    message: 'Ask for a passcode or for the date of birth, not for both',
  });

/** What became of an attempt to open a link. */
export const linkOutcomes = ['OPENED', 'WRONG_CODE', 'LOCKED', 'EXPIRED', 'REVOKED', 'USED_UP'] as const;
export type LinkOutcome = (typeof linkOutcomes)[number];

export const linkOpen = z.object({
  at: z.string(),
  outcome: z.enum(linkOutcomes),
  /** The network that it came from, in short ("203.0.113.x"): never a whole address. */
  network: z.string(),
  /** Whether it was at a link of this report that is closed now. */
  isEarlierLink: z.boolean(),
});
export type LinkOpen = z.infer<typeof linkOpen>;

/** What the dialog that shares shows before there is a link. */
export const linkTerms = z.object({
  days: z.number(),
  isCodeRequired: z.boolean(),
  /** Whether the date of birth is on record and can be asked for. */
  hasBirthDate: z.boolean(),
});
export type LinkTerms = z.infer<typeof linkTerms>;
