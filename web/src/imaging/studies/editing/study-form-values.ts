import { t } from '@lingui/core/macro';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { z } from 'zod';
import { formatLocal } from '#ui/formats/formats.ts';

/** Editable fields of a study with their labels. */
export const studyFields = {
  description: t`Description`,
  accessionNumber: t`Accession number`,
  priority: t`Priority`,
  clinicalHistory: t`Clinical history`,
  referringPhysicianName: t`Referring physician`,
  referringPhysicianPhone: t`Phone`,
  orderNumber: t`Order number`,
  orderingPhysicianName: t`Ordering physician`,
  procedureCode: t`Procedure code`,
  procedureDescription: t`Procedure`,
  scheduledDateTime: t`Scheduled`,
} as const;
export type StudyField = keyof typeof studyFields;

const fieldNames = Object.keys(studyFields) as StudyField[];

export const studyFormValues = z.record(z.enum(fieldNames), z.string());
/** Form values: all are text, and times have the format "yyyy-MM-dd HH:mm". */
export type StudyFormValues = z.infer<typeof studyFormValues>;

/** Form values of a new study. */
export const emptyStudyForm: StudyFormValues = {
  description: '',
  accessionNumber: '',
  priority: 'ROUTINE',
  clinicalHistory: '',
  referringPhysicianName: '',
  referringPhysicianPhone: '',
  orderNumber: '',
  orderingPhysicianName: '',
  procedureCode: '',
  procedureDescription: '',
  scheduledDateTime: '',
};

export const formValuesOf = ({ order, ...study }: StudyDetails): StudyFormValues => ({
  description: study.description,
  accessionNumber: study.accessionNumber,
  priority: study.priority,
  clinicalHistory: study.clinicalHistory,
  referringPhysicianName: study.referringPhysicianName,
  referringPhysicianPhone: study.referringPhysicianPhone,
  orderNumber: order.orderNumber,
  orderingPhysicianName: order.orderingPhysician.username,
  procedureCode: order.procedureCode,
  procedureDescription: order.procedureDescription,
  scheduledDateTime: formatLocal(order.scheduledDateTime),
});

/** Returns the names of the fields that differ, in the order of the form. */
export const changedFields = (before: StudyFormValues, after: StudyFormValues): StudyField[] =>
  fieldNames.filter((field) => before[field].trim() !== after[field].trim());

/** Converts a time to the format that the server expects. */
export const timeToSend = (text: string): string => text.trim().replace(' ', 'T');

/** Returns the values of some fields in the format that the server expects. */
export const toStudyInput = (
  words: StudyFormValues,
  fields: readonly StudyField[] = fieldNames,
): Partial<StudyFormValues> =>
  Object.fromEntries(
    fields.map((field) => [field, field === 'scheduledDateTime' ? timeToSend(words[field]) : words[field]]),
  );
