import { namedPatient } from '@radwork/contract/core/named-patient';
import { z } from 'zod';
import { newId } from '#core/browser/new-id.ts';
import { forgetUnsaved, readUnsaved, unsavedNames, type UnsavedOwner } from '#core/state/unsaved-texts.ts';

const words = z.object({
  content: z.string(),
  hasCriticalFindings: z.boolean(),
  criticalFindingsDetails: z.string(),
});

/** The part of a report that the user writes. */
export type ReportText = z.infer<typeof words>;

export const reportTextOf = ({ content, hasCriticalFindings, criticalFindingsDetails }: ReportText): ReportText => ({
  content,
  hasCriticalFindings,
  criticalFindingsDetails,
});

const storedCopy = words.extend({
  /** Report to which the text belongs; null if the study had none. */
  reportId: z.string().nullable().default(null),
  /** Revision of the report on which the text is based; null if there was no report. */
  revision: z.number().nullable(),
  /** Patient about whom the text was begun; null in copies of older versions of the application. */
  patient: namedPatient.nullable().default(null),
  at: z.string(),
  /** ID of the server autosave that this text continues. */
  keptId: z.string().nullable().default(null),
  /** ID of the last autosave request. Only a later fetch shows whether the server stored it. */
  sentId: z.string().nullable().default(null),
});
/** An unsaved text as this browser stores it. */
export type StoredCopy = z.infer<typeof storedCopy>;

export type LocalCopy = StoredCopy & { name: string };

/** State of a copy when it was last read. A copy is deleted only if it has not changed since then. */
export type CopyState = Pick<LocalCopy, 'name' | 'at'>;

const beginningOf = (studyId: string): string => `report-of-study.${studyId}`;

/**
 * Returns a storage name unique to one editor, so that two windows with the same study do not overwrite each other's
 * text.
 */
export const newCopyName = (studyId: string): string => `${beginningOf(studyId)}.${newId()}`;

/** The user's copies in this browser for all reports of a study, newest first. */
export const localCopies = (studyId: string): LocalCopy[] =>
  unsavedNames(beginningOf(studyId))
    .filter((name) => name === beginningOf(studyId) || name.startsWith(`${beginningOf(studyId)}.`))
    .flatMap((name) => {
      const stored = readUnsaved(name, storedCopy);
      return stored ? [{ ...stored, name }] : [];
    })
    .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));

/**
 * Whether a copy belongs to this report. If the report is null: whether the copy was written before the study had a
 * report.
 */
export const isCopyOf = (report: { id: string } | null) => (copy: StoredCopy) => copy.reportId === (report?.id ?? null);

/** Deletes a copy, unless another window has changed it since this window last read it. */
export const deleteCopy = ({ name, at }: CopyState, owner: UnsavedOwner): void => {
  if (readUnsaved(name, storedCopy, owner)?.at === at) forgetUnsaved(name, owner);
};
