import { t } from '../core/translate.ts';
import { z } from 'zod';
import { userTypes } from '../core/access.ts';
import { get } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { identityMark } from '../imaging/identities.ts';
import { namedPatient } from '../core/named-patient.ts';
import { reportStatuses } from '../imaging/study-marks.ts';

/** Maximum number of results of each kind. */
export const mostFound = 5;

export const foundStudy = z.object({
  id: z.string(),
  accessionNumber: z.string(),
  description: z.string(),
  modality: z.string(),
  studyDate: z.string().nullable(),
  patient: namedPatient,
  /** Mark of an open identity question. The question concerns the study, or a study of the patient. */
  identity: identityMark.nullish(),
});
export type FoundStudy = z.infer<typeof foundStudy>;

export const foundPatient = namedPatient.extend({
  dateOfBirth: z.string().nullable(),
  identity: identityMark.nullish(),
});
export type FoundPatient = z.infer<typeof foundPatient>;

export const foundReport = z.object({
  id: z.string(),
  status: z.enum(reportStatuses),
  accessionNumber: z.string(),
  studyDescription: z.string(),
  modality: z.string(),
  studyDate: z.string().nullable(),
  patientName: z.string(),
  identity: identityMark.nullish(),
});
export type FoundReport = z.infer<typeof foundReport>;

export const foundUser = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string(),
  userType: z.enum(userTypes),
});
export type FoundUser = z.infer<typeof foundUser>;

/** Results that contain every search word. A kind of result that the caller may not see is empty. */
export const searchAnswer = z.object({
  patients: z.array(foundPatient),
  studies: z.array(foundStudy),
  reports: z.array(foundReport),
  users: z.array(foundUser),
});
export type SearchAnswer = z.infer<typeof searchAnswer>;

export const fewestLetters = 2;

const tooShort = { error: () => t`Type at least ${fewestLetters} characters` };

export const search = {
  everywhere: get('/search', {
    can: 'staff',
    audited: 'search.run',
    query: z.object({
      q: z
        .string(tooShort)
        .trim()
        .min(fewestLetters, tooShort)
        .max(100, { error: () => t`Type at most 100 characters` }),
    }),
    reply: searchAnswer,
  }),
};

export const noun = {
  calls: [search],
  actions: {
    Study: {
      'search.run': 'Searched patients, studies and users',
    },
  },
} as const satisfies Noun;
