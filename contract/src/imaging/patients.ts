import { t, translated } from '../core/translate.ts';
import { z } from 'zod';
import { del, get, post, put, asReading, stream } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { identityMark } from './identities.ts';
import { namedPatient } from '../core/named-patient.ts';
import { page, pageQuery, sortQuery } from '../core/paging.ts';
import { priorities } from '../core/priorities.ts';

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

export const genderLabels: Record<Gender, string> = translated({ M: 'Male', F: 'Female', O: 'Other', U: 'Unknown' });

/** Converts a gender from DICOM or from a form. Undefined if invalid. */
export const readGender = (text: string): Gender | undefined => genderNames[text.trim().toUpperCase()];

const gender = z.string().transform((text, context) => {
  const read = readGender(text);
  if (read) return read;
  context.addIssue({ code: 'custom', message: t`Gender must be male, female or other` });
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
  /** Priority of the most urgent open study; null if none is open. */
  priority: z.enum(priorities).nullable(),
  /** Former Patient ID that matched the search, if any. */
  formerId: z.string().optional(),
  /** Mark while the identity question of a study of this patient is open. */
  identity: identityMark.nullish(),
});
export type PatientRow = z.infer<typeof patientRow>;

/**
 * Patients of one page. A full count could take longer than the page itself. In that case `isTotalExact` is false, and
 * there are more patients than `totalElements`.
 */
export const patientPage = page(patientRow).extend({ isTotalExact: z.boolean() });
export type PatientPage = z.infer<typeof patientPage>;

/** Patient ID and its issuer. */
export const patientIdentifier = z.object({ patientId: z.string(), issuer: z.string() });
export type PatientIdentifier = z.infer<typeof patientIdentifier>;

const studyOfPatient = z.object({
  id: z.string(),
  studyInstanceUID: z.string(),
  studyDate: z.string().nullable(),
  modality: z.string(),
  description: z.string(),
});

/** Maximum number of studies in the details of a patient. The patient's study list has all of them. */
export const mostStudiesInDetails = 100;

export const patientDetails = patientRow.extend({
  revision: z.number(),
  address: z.string(),
  portalAccess: z.object({ isActive: z.boolean() }),
  createdDate: z.string(),
  lastModifiedDate: z.string(),
  /** Patient IDs of merged records, and former IDs of this record. */
  formerIdentifiers: z.array(patientIdentifier),
  /** Record into which this record was merged, or null. */
  mergedInto: namedPatient.nullable(),
  /** Studies, newest first. */
  studies: z.array(studyOfPatient),
});
export type PatientDetails = z.infer<typeof patientDetails>;

/** Returns the message for a date of birth in the future. */
export const birthToCome = () => t`Date of birth must not be in the future`;

const oneDay = 24 * 60 * 60 * 1000;

/**
 * Whether a date is not in the future. Accepts invalid dates, because another rule rejects them. Accepts tomorrow in
 * UTC, which is already today in some time zones; the server checks the date of the tenant.
 */
const isNotToCome = (text: string): boolean =>
  !z.iso.date().safeParse(text).success || text <= new Date(Date.now() + oneDay).toISOString().slice(0, 10);

const required = (error: () => string, most: number) => z.string({ error }).trim().min(1, { error }).max(most);

const dayOfBirth = z
  .string({ error: () => t`Date of birth is required` })
  .trim()
  .min(1, { error: () => t`Date of birth is required` })
  .pipe(z.iso.date({ error: () => t`Use a date such as 1961-04-30` }))
  .refine(isNotToCome, { error: birthToCome });

/** Rejects a backslash, which would separate two values in DICOM (PS3.5 §6.4). */
export const oneValue = (name: () => string) =>
  [/^[^\\]*$/, { error: () => t`${name()} cannot contain a backslash` }] as const;

const validEmail = { error: () => t`Please enter a valid email` };

/** Fields of the patient form. A name with a comma is read as "Family, Given Middle". */
export const patientForm = z.object({
  patientName: required(() => t`Name is required`, 200),
  patientId: required(() => t`Patient ID is required`, 64).regex(...oneValue(() => t`Patient ID`)),
  issuer: z
    .string()
    .trim()
    .max(64)
    .regex(...oneValue(() => t`ID issuer`))
    .default(''),
  gender,
  dateOfBirth: dayOfBirth,
  address: z.string().trim().max(500).default(''),
  phoneNumber: z.string().trim().max(50).default(''),
  // Longest valid e-mail address (RFC 5321 §4.5.3.1.3).
  email: z.union([z.literal(''), z.email(validEmail).max(254, validEmail)], validEmail).default(''),
});

/** Changes of a patient. An unknown date of birth may stay unknown; a known date cannot be removed. */
export const patientChanges = patientForm.extend({
  dateOfBirth: z.union([z.literal(''), dayOfBirth]),
  revision: z.number().int(),
  /**
   * For a corrected Patient ID: whether the former ID also belongs to this patient. New images with the former ID are
   * then filed under this patient.
   */
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

const day = z.iso.date({ error: () => t`Use a date such as 2026-11-21` }).optional();

/** Lowest and highest age in a search. The highest includes all older patients. */
export const ages = { least: 0, most: 100 } as const;
const age = z.coerce
  .number({ error: () => t`Age must be a number` })
  .int({ error: () => t`Age must be a whole number` })
  .min(ages.least, { error: () => t`Age must be between 0 and 100` })
  .max(ages.most, { error: () => t`Age must be between 0 and 100` })
  .optional();

export const patientSearch = z
  .object({
    ...pageQuery,
    sort: sortQuery(patientSortFields, 'patientName,asc'),
    searchQuery: z.string().trim().max(200).default(''),
    gender: gender.optional(),
    /** Ages in years. Patients without date of birth are found unless the range is narrower than all ages. */
    minAge: age,
    maxAge: age,
    /** Range of days in which the patient has a study. */
    fromDate: day,
    toDate: day,
  })
  .refine(({ minAge = ages.least, maxAge = ages.most }) => minAge <= maxAge, {
    path: ['minAge'],
    error: () => t`The lowest age must not exceed the highest age`,
  })
  .refine(({ fromDate, toDate }) => !fromDate || !toDate || fromDate <= toDate, {
    path: ['fromDate'],
    error: () => t`From date must not be after to date`,
  });

export const patients = {
  list: get('/patients', {
    can: 'patient.view',
    audited: asReading('patient.search', 'patient'),
    query: patientSearch,
    reply: patientPage,
  }),
  get: get('/patients/:id', { can: 'patient.view', audited: 'patient.view', reply: patientDetails }),
  /**
   * Creates a patient. 409 "A patient with this ID already exists"; the error at `existingId` is the ID of that
   * patient.
   */
  create: post('/patients', {
    can: 'patient.edit',
    audited: 'patient.create',
    body: patientForm,
    reply: patientDetails,
  }),
  /**
   * Changes a patient. 409 as for `create`; also for an outdated revision, with the current value of each field that
   * differs.
   */
  update: put('/patients/:id', {
    can: 'patient.edit',
    audited: 'patient.update',
    body: patientChanges,
    reply: patientDetails,
  }),
  /**
   * Releases a former Patient ID. Another patient can then use it, and new images with it belong to that patient. 409
   * if it is not a former ID of this patient. Also 409 if it comes from a merged record; the caller must then undo the
   * merge.
   */
  releaseFormerId: post('/patients/:id/former-ids/release', {
    can: 'patient.edit',
    audited: 'patient.update',
    body: patientIdentifier,
    reply: patientDetails,
  }),
  /** Deletes a patient without studies. 409 if the patient has studies; then merge instead. */
  remove: del('/patients/:id', { can: 'patient.edit', audited: 'patient.delete' }),
};

/** Limit of an export. A line at the end says that patients are missing. */
export const mostExportedPatients = 10_000;

/**
 * Exports the patient list as CSV, with formulas escaped. The query is that of `patients.list`, without the page. It also
 * requires patient.view.
 */
export const patientExport = stream('GET', '/api/patients/export', 'study.export', 'patient.exportList');

export const noun = {
  calls: [patients],
  streams: [patientExport],
  entities: ['patient'],
  actions: {
    Patient: {
      'patient.view': 'Opened patient',
      'patient.search': 'Searched patients',
      'patient.exportList': 'Exported list of patients',
      'patient.viewReports': 'Listed patient reports',
      'patient.create': 'Created patient',
      'patient.update': 'Edited patient',
      'patient.delete': 'Deleted patient',
    },
  },
} as const satisfies Noun;
