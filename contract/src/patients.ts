import { z } from 'zod';
import { del, get, post, put } from './endpoint.ts';
import { page, pageQuery, sortQuery } from './paging.ts';
import { priorities } from './priorities.ts';

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
});
export type PatientRow = z.infer<typeof patientRow>;

export const patientDetails = patientRow.extend({
  revision: z.number(),
  address: z.string(),
  portalAccess: z.object({ isActive: z.boolean() }),
  createdDate: z.string(),
  lastModifiedDate: z.string(),
});
export type PatientDetails = z.infer<typeof patientDetails>;

const isPastDay = (text: string): boolean =>
  !Number.isNaN(Date.parse(text)) && text <= new Date().toISOString().slice(0, 10);

const required = (message: string, most: number) => z.string(message).trim().min(1, message).max(most);

export const patientForm = z.object({
  patientName: required('Name is required', 200),
  patientId: required('Patient ID is required', 64),
  issuer: z.string().trim().max(64).default(''),
  gender: gender,
  dateOfBirth: z.iso.date('Date of birth is required').refine(isPastDay, 'Date of birth must not be in the future'),
  address: z.string().trim().max(500).default(''),
  phoneNumber: z.string().trim().max(50).default(''),
  email: z.union([z.literal(''), z.email('Please enter a valid email')]).default(''),
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
const age = z.coerce.number().int().min(0).max(100).optional();

export const patientSearch = z.object({
  ...pageQuery,
  sort: sortQuery(patientSortFields, 'patientName,asc'),
  searchQuery: z.string().trim().max(200).default(''),
  gender: gender.optional(),
  /** 100 means 100 and over; a patient whose birth is not known is on the list unless an age is asked for (C55). */
  minAge: age,
  maxAge: age,
  /** Days between which the patient has a study. */
  fromDate: day,
  toDate: day,
});

export const patients = {
  list: get('/patients', { can: 'patient.view', query: patientSearch, reply: page(patientRow) }),
  get: get('/patients/:id', { can: 'patient.view', reply: patientDetails }),
  create: post('/patients', { can: 'patient.edit', body: patientForm, reply: patientDetails }),
  update: put('/patients/:id', {
    can: 'patient.edit',
    body: patientForm.extend({ revision: z.number().int() }),
    reply: patientDetails,
  }),
  /** Only a patient without studies can be deleted; with studies it is 409, merge instead (C57). */
  remove: del('/patients/:id', { can: 'patient.edit' }),
};
