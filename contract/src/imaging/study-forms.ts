import { t } from '../core/translate.ts';
import { z } from 'zod';
import { oneValue, patientForm } from './patients.ts';
import { readPriority } from '../core/priorities.ts';

const text = (name: () => string, most: number) =>
  z
    .string()
    .trim()
    .max(most, { error: () => t`${name()} is longer than ${most.toLocaleString('en-US')} characters` });

const identifier = (name: () => string) => text(name, 64).regex(...oneValue(name));

const wrongTime = { error: () => t`Use a date and time such as 2026-11-21 14:05` };

/** Local date and time without time zone: "yyyy-MM-ddTHH:mm:ss". The seconds are optional. */
const localTime = z.iso
  .datetime({ local: true })
  .refine((time) => !time.endsWith('Z'))
  .transform((time) => `${time}:00`.slice(0, 'yyyy-MM-ddTHH:mm:ss'.length));

const optionalLocalTime = z.union([z.literal(''), localTime], wrongTime);

const priority = z.string().transform((name, context) => {
  const read = readPriority(name);
  if (read) return read;
  context.addIssue({ code: 'custom', message: t`Priority must be STAT, URGENT or ROUTINE` });
  return z.NEVER;
});

/** Fields of a study that users can edit, with or without images. UIDs and patient data are excluded. */
const words = z
  .object({
    description: text(() => t`Description`, 1000),
    priority,
    accessionNumber: identifier(() => t`Accession number`),
    referringPhysicianName: text(() => t`Referring physician`, 200),
    referringPhysicianPhone: text(() => t`Phone`, 50),
    clinicalHistory: text(() => t`Clinical history`, 10_000),
    orderNumber: identifier(() => t`Order number`),
    orderingPhysicianName: text(() => t`Ordering physician`, 200),
    procedureCode: identifier(() => t`Procedure code`),
    procedureDescription: text(() => t`Procedure`, 1000),
    scheduledDateTime: optionalLocalTime,
  })
  .partial();

/** A missing field stays unchanged; an empty text clears it. */
export const studyForm = words.extend({ revision: z.number().int() });

/** Patient of the study: either an existing record or a new patient. */
const whose = {
  existingPatientId: z.uuid({ error: () => t`Choose a patient` }).optional(),
  newPatient: patientForm.optional(),
};

export const studyRegistration = words
  .extend({
    ...whose,
    modality: z
      .string({ error: () => t`Modality is required` })
      .trim()
      .min(1, { error: () => t`Modality is required` })
      .regex(/^[A-Z0-9_ ]{1,16}$/, { error: () => t`Use a modality code such as CT` }),
    /** Time in the time zone of the tenant. Default: now. */
    studyDate: optionalLocalTime.optional(),
    /** Generated if missing or empty. Images with this UID that arrive later are added to the study. */
    studyInstanceUID: z
      .union(
        [
          z.literal(''),
          z
            .string()
            .max(64)
            .regex(/^\d+(\.\d+)*$/),
        ],
        { error: () => t`A UID contains digits and dots only` },
      )
      .optional(),
  })
  .refine(({ existingPatientId, newPatient }) => (existingPatientId === undefined) !== (newPatient === undefined), {
    path: ['existingPatientId'],
    error: () => t`Choose a patient or enter a new patient`,
  });
