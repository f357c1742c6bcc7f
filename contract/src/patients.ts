import { z } from 'zod';
import { del, get, post, put } from './endpoint.ts';
import { namedPatient } from './named-patient.ts';
import { page, pageQuery, sortQuery } from './paging.ts';
import { priorities } from './priorities.ts';
import { reportRow } from './reports.ts';

export const genders = ['M', 'F', 'O', 'U'] as const;
export type Gender = (typeof genders)[number];

const genderNames: Record<string, Gender> = {
  M: 'M',
  F: 'F',
  O: 'O',
  U: 'U',
  MALE: 'M',
  FEMALE: 'F',
  OTHER: 'O',
  UNKNOWN: 'U',
};

export const genderLabels: Record<Gender, string> = { M: 'Male', F: 'Female', O: 'Other', U: 'Unknown' };

/** Reads a gender as DICOM or as the forms write it (C53); undefined when it is none. */
export const readGender = (text: string): Gender | undefined => genderNames[text.trim().toUpperCase()];

const gender = z.string().transform((text, context) => {
  const read = readGender(text);
  if (read) return read;
  context.addIssue({ code: 'custom', message: 'Gender must be male, female or other' });
  return z.NEVER;
});

export const patientRow = z.object({
  id: z.string(),
  patientId: z.string(),
  issuer: z.string(),
  patientName: z.string(),
  gender: z.enum(genders),
  dateOfBirth: z.string().nullable(),
  phoneNumber: z.string(),
  email: z.string(),
  studyCount: z.number(),
  lastStudyDate: z.string().nullable(),
  /** That of the most urgent open study; null when none is open (C24). */
  priority: z.enum(priorities).nullable(),
  /** The ID that was searched for, where the patient had it once and has another one now. */
  formerId: z.string().optional(),
});
export type PatientRow = z.infer<typeof patientRow>;

/** When `isTotalExact` is false, there are more than `totalElements` patients: counting all would cost more than the page. */
export const patientPage = page(patientRow).extend({ isTotalExact: z.boolean() });
export type PatientPage = z.infer<typeof patientPage>;

/** A record's ID, and who assigned it. */
export const patientIdentifier = z.object({ patientId: z.string(), issuer: z.string() });
export type PatientIdentifier = z.infer<typeof patientIdentifier>;

const studyOfPatient = z.object({
  id: z.string(),
  studyInstanceUID: z.string(),
  studyDate: z.string().nullable(),
  modality: z.string(),
  description: z.string(),
});

/** The most studies that a patient's details name; the patient's study list has all of them. */
export const mostStudiesInDetails = 100;

export const patientDetails = patientRow.extend({
  revision: z.number(),
  address: z.string(),
  portalAccess: z.object({ isActive: z.boolean() }),
  createdDate: z.string(),
  lastModifiedDate: z.string(),
  /** Those of records that were merged into this one, and those it had itself before it was corrected. */
  formerIdentifiers: z.array(patientIdentifier),
  /** Where everything of this patient is since it was merged; null for one that stands by itself. */
  mergedInto: namedPatient.nullable(),
  /** The latest of them first. */
  studies: z.array(studyOfPatient),
});
export type PatientDetails = z.infer<typeof patientDetails>;

/** What is said of a day of birth that nobody has lived yet. */
export const birthToCome = 'Date of birth must not be in the future';

const oneDay = 24 * 60 * 60 * 1000;

/**
 * What is no day at all is refused as such, and not as one to come. Tomorrow in UTC is today somewhere: whether it is
 * where the tenant is, the server says.
 */
const isNotToCome = (text: string): boolean =>
  !z.iso.date().safeParse(text).success || text <= new Date(Date.now() + oneDay).toISOString().slice(0, 10);

const required = (message: string, most: number) => z.string(message).trim().min(1, message).max(most);

const dayOfBirth = z
  .string('Date of birth is required')
  .trim()
  .min(1, 'Date of birth is required')
  .pipe(z.iso.date('Use a date such as 1961-04-30'))
  .refine(isNotToCome, birthToCome);

/** The rule for what identifies in DICOM: a backslash would make two values of it (PS3.5 §6.4). */
export const oneValue = (name: string) => [/^[^\\]*$/, `${name} must not have a backslash`] as const;

const validEmail = 'Please enter a valid email';

/** What people type about a patient. A name with a comma is "Family, Given Middle". */
export const patientForm = z.object({
  patientName: required('Name is required', 200),
  patientId: required('Patient ID is required', 64).regex(...oneValue('Patient ID')),
  issuer: z
    .string()
    .trim()
    .max(64)
    .regex(...oneValue('Issuer of the ID'))
    .default(''),
  gender,
  dateOfBirth: dayOfBirth,
  address: z.string().trim().max(500).default(''),
  phoneNumber: z.string().trim().max(50).default(''),
  // No address that can be written to is longer (RFC 5321 §4.5.3.1.3).
  email: z.union([z.literal(''), z.email(validEmail).max(254, validEmail)], validEmail).default(''),
});

/** Corrections. A date of birth that nobody knows may stay unknown, one that is known may not be forgotten. */
export const patientChanges = patientForm.extend({
  dateOfBirth: z.union([z.literal(''), dayOfBirth]),
  revision: z.number().int(),
  /** Of an ID that is corrected: whether the former one was this patient's too, and what comes under it still is. */
  isFormerIdKept: z.boolean().default(true),
});

export const patientSortFields = [
  'patientName',
  'patientId',
  'gender',
  'dateOfBirth',
  'createdDate',
  'lastStudyDate',
] as const;

const day = z.iso.date('Use a date such as 2026-11-21').optional();

/** The ages that can be asked for; the last one means that age and over (C55). */
export const ages = { least: 0, most: 100 } as const;
const age = z.coerce
  .number('Age must be a number')
  .int('Age must be a whole number')
  .min(ages.least, 'Age must be between 0 and 100')
  .max(ages.most, 'Age must be between 0 and 100')
  .optional();

export const patientSearch = z
  .object({
    ...pageQuery,
    sort: sortQuery(patientSortFields, 'patientName,asc'),
    searchQuery: z.string().trim().max(200).default(''),
    gender: gender.optional(),
    /** A patient whose birth is not known is on the list unless fewer than all ages are asked for (C55). */
    minAge: age,
    maxAge: age,
    /** Days between which the patient has a study. */
    fromDate: day,
    toDate: day,
  })
  .refine(({ minAge = ages.least, maxAge = ages.most }) => minAge <= maxAge, {
    path: ['minAge'],
    message: 'From age must not be above to age',
  })
  .refine(({ fromDate, toDate }) => !fromDate || !toDate || fromDate <= toDate, {
    path: ['fromDate'],
    message: 'From date must not be after to date',
  });

export const patients = {
  list: get('/patients', { can: 'patient.view', query: patientSearch, reply: patientPage }),
  get: get('/patients/:id', { can: 'patient.view', reply: patientDetails }),
  /** Those that the caller may read, the latest first. */
  reports: get('/patients/:id/reports', { can: 'report.view', reply: z.array(reportRow) }),
  /**
   * 409 "A patient with this ID already exists" where it does; what stands at `existingId` among the errors is the id
   * of that patient (C57).
   */
  create: post('/patients', { can: 'patient.edit', body: patientForm, reply: patientDetails }),
  /** 409 as above, and on an older revision, with what each field that differs says by now. */
  update: put('/patients/:id', { can: 'patient.edit', body: patientChanges, reply: patientDetails }),
  /**
   * Says that a former ID is not this patient's: from now on somebody else can have it, and images that come under it are
   * theirs. 409 where it is none of theirs, and for that of a record that was merged: that is undone instead.
   */
  releaseFormerId: post('/patients/:id/former-ids/release', {
    can: 'patient.edit',
    body: patientIdentifier,
    reply: patientDetails,
  }),
  /** Only a patient without studies can be deleted; with studies it is 409, merge instead (C57). */
  remove: del('/patients/:id', { can: 'patient.edit' }),
};
