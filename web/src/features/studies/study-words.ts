import type { StudyDetails } from '@radwork/contract/studies';
import { z } from 'zod';
import { formatLocal } from '#ui/formats.ts';

/** What people may say of a study, and what each is called on the screen. */
export const studyFields = {
  description: 'Description',
  accessionNumber: 'Accession number',
  priority: 'Priority',
  clinicalHistory: 'Clinical history',
  referringPhysicianName: 'Referring physician',
  referringPhysicianPhone: 'Phone',
  orderNumber: 'Order number',
  orderingPhysicianName: 'Ordering physician',
  procedureCode: 'Procedure code',
  procedureDescription: 'Procedure',
  scheduledDateTime: 'Scheduled',
} as const;
export type StudyField = keyof typeof studyFields;

const fieldNames = Object.keys(studyFields) as StudyField[];

export const studyWords = z.record(z.enum(fieldNames), z.string());
/** As a form has them: all texts, times as "yyyy-MM-dd HH:mm". */
export type StudyWords = z.infer<typeof studyWords>;

/** What a form begins with about a study that nobody has said anything of. */
export const noWords: StudyWords = {
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

export const wordsOf = ({ order, ...study }: StudyDetails): StudyWords => ({
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

/** The fields that differ, in the order in which they stand. */
export const changedFields = (before: StudyWords, after: StudyWords): StudyField[] =>
  fieldNames.filter((field) => before[field].trim() !== after[field].trim());

/** A time as the server takes it. */
export const timeToSend = (text: string): string => text.trim().replace(' ', 'T');

/** The words of some fields as the server takes them. */
export const wordsToSend = (words: StudyWords, fields: readonly StudyField[] = fieldNames): Partial<StudyWords> =>
  Object.fromEntries(
    fields.map((field) => [field, field === 'scheduledDateTime' ? timeToSend(words[field]) : words[field]]),
  );
