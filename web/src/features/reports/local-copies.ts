import { namedPatient } from '@radwork/contract/named-patient';
import { z } from 'zod';
import { newId } from '#core/new-id.ts';
import { forgetUnsaved, readUnsaved, unsavedNames, type UnsavedOwner } from '#core/unsaved.ts';

const words = z.object({
  content: z.string(),
  hasCriticalFindings: z.boolean(),
  criticalFindingsDetails: z.string(),
});

/** What a person writes in a report. */
export type Words = z.infer<typeof words>;

export const wordsOf = ({ content, hasCriticalFindings, criticalFindingsDetails }: Words): Words => ({
  content,
  hasCriticalFindings,
  criticalFindingsDetails,
});

const keptCopy = words.extend({
  /** The report that it is the text of; null while there is none. */
  reportId: z.string().nullable().default(null),
  /** The version that it was written on; null before there is a report. */
  revision: z.number().nullable(),
  /** For whom it was begun; null in what was kept before that was noted. */
  patient: namedPatient.nullable().default(null),
  at: z.string(),
  /** The text on the server that it goes on from. */
  keptId: z.string().nullable().default(null),
  /** The id under which a text was sent last; whether the server has it is known when somebody looks again. */
  sentId: z.string().nullable().default(null),
});
/** A text as this browser keeps it until the server has it. */
export type KeptCopy = z.infer<typeof keptCopy>;

export type LocalCopy = KeptCopy & { name: string };

/** A copy as it was at a moment: of it nothing more may be forgotten than was known then. */
export type CopyOfThen = Pick<LocalCopy, 'name' | 'at'>;

const beginningOf = (studyId: string): string => `report-of-study.${studyId}`;

/**
 * A name for the text of one editor, and of no other: two windows that write in the same study, one of them without a
 * connection, have nothing in common that either could overwrite.
 */
export const newCopyName = (studyId: string): string => `${beginningOf(studyId)}.${newId()}`;

/** All that this browser keeps for the reader in a study, of whichever of its reports, the newest first. */
export const localCopies = (studyId: string): LocalCopy[] =>
  unsavedNames(beginningOf(studyId))
    .filter((name) => name === beginningOf(studyId) || name.startsWith(`${beginningOf(studyId)}.`))
    .flatMap((name) => {
      const kept = readUnsaved(name, keptCopy);
      return kept ? [{ ...kept, name }] : [];
    })
    .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));

/** Of which report a copy is: of none before it is begun. */
export const isCopyOf = (report: { id: string } | null) => (copy: KeptCopy) => copy.reportId === (report?.id ?? null);

/** Forgets a copy, unless another window has written in it since. */
export const forgetCopy = ({ name, at }: CopyOfThen, owner: UnsavedOwner): void => {
  if (readUnsaved(name, keptCopy, owner)?.at === at) forgetUnsaved(name, owner);
};
