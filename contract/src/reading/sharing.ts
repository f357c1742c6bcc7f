import { t } from '../core/translate.ts';
import { z } from 'zod';
import { asReading, del, get, notAudited, post } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { page, pageQuery } from '../core/paging.ts';

/** Question that the recipient of a link must answer, if any. */
export const linkQuestions = ['PASSCODE', 'BIRTH_DATE'] as const;
export type LinkQuestion = (typeof linkQuestions)[number];

/** Number of wrong codes in a row that locks a link. */
export const wrongCodesAtMost = 5;
/** Duration of the lock in minutes. */
export const lockMinutes = 15;

/** Share link to a finalized report. Users with the permission to share can read `linkHash` again. */
export const reportLink = z.object({
  /** The secret token of the link, not a hash: it opens the report. The specification has the name. */
  linkHash: z.string(),
  expiresAt: z.string(),
  createdAt: z.string(),
  openCount: z.number(),
  lastOpenedAt: z.string().nullable(),
  question: z.enum(linkQuestions).nullable(),
  /** Maximum number of opens; null for no limit. */
  maxOpens: z.number().nullable(),
  /** End of the lock after too many wrong codes. */
  lockedUntil: z.string().nullable(),
});
export type ReportLink = z.infer<typeof reportLink>;

/** Options of a new link. Defaults: the number of days set by the tenant, no code, no limit. */
export const reportLinkForm = z
  .object({
    days: z
      .int({ error: () => t`Use whole days` })
      .min(1, { error: () => t`Use at least 1 day` })
      .max(3650, { error: () => t`Use at most 3,650 days` })
      .optional(),
    passcode: z
      .string()
      .trim()
      .min(6, { error: () => t`Use at least 6 characters` })
      .max(64, { error: () => t`Use at most 64 characters` })
      .optional(),
    asksBirthDate: z.boolean().default(false),
    maxOpens: z
      .int({ error: () => t`Use a whole number` })
      .min(1, { error: () => t`Use at least 1` })
      .max(1000, { error: () => t`Use at most 1,000` })
      .nullish(),
    /**
     * ID of the patient record that the user shares (see `Report`). Rejected if the study has moved to another patient.
     */
    patientRecordId: z.uuid({ error: () => t`Patient record of the report is required` }).optional(),
  })
  .refine(({ passcode, asksBirthDate }) => !(passcode && asksBirthDate), {
    path: ['passcode'],
    error: () => t`Choose either a passcode or the date of birth`,
  });

/** Results of an attempt to open a link. */
export const linkOutcomes = ['OPENED', 'WRONG_CODE', 'LOCKED', 'EXPIRED', 'REVOKED', 'USED_UP'] as const;
export type LinkOutcome = (typeof linkOutcomes)[number];

export const linkOpen = z.object({
  at: z.string(),
  outcome: z.enum(linkOutcomes),
  /** Shortened network address ("203.0.113.x"). The full address is never stored. */
  network: z.string(),
  /** Whether the attempt used an earlier link of this report, which is now closed. */
  isEarlierLink: z.boolean(),
});
export type LinkOpen = z.infer<typeof linkOpen>;

/** Defaults in the share dialog before a link exists. */
export const linkTerms = z.object({
  days: z.number(),
  isCodeRequired: z.boolean(),
  /** Whether the date of birth is known, so that the link can ask for it. */
  hasBirthDate: z.boolean(),
});
export type LinkTerms = z.infer<typeof linkTerms>;

export const reportLinks = {
  get: get('/reports/:id/link', {
    can: 'report.share',
    audited: asReading('report_link.view', 'report', 'report'),
    reply: reportLink.nullable(),
  }),
  terms: get('/reports/:id/link/terms', { can: 'report.share', audited: notAudited.noPatient, reply: linkTerms }),
  /** Creates a share link. If an open link has the same options, returns that link. */
  create: post('/reports/:id/link', {
    can: 'report.share',
    audited: 'report_link.create',
    body: reportLinkForm,
    reply: reportLink,
  }),
  revoke: del('/reports/:id/link', { can: 'report.share', audited: 'report_link.revoke' }),
  opens: get('/reports/:id/link/opens', {
    can: 'report.share',
    audited: asReading('report_link.view', 'report', 'report'),
    query: z.object(pageQuery),
    reply: page(linkOpen),
  }),
};

export const noun = {
  calls: [reportLinks],
  entities: ['report_link'],
  actions: {
    Report: {
      'report_link.create': 'Created share link',
      'report_link.view': 'Viewed share link',
      'report_link.revoke': 'Revoked share link',
      'report_link.refuse': 'Entered wrong code for share link',
      'report_link.close': 'Closed share link after wrong codes',
    },
  },
} as const satisfies Noun;
