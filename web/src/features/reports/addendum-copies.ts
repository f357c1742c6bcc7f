import { addendumKinds } from '@radwork/contract/report-parts';
import { z } from 'zod';
import { newId } from '#core/new-id.ts';
import { forgetUnsaved, keepUnsaved, readUnsaved, unsavedNames, type UnsavedOwner } from '#core/unsaved.ts';

const words = z.object({
  kind: z.enum(addendumKinds),
  content: z.string(),
  passage: z.string(),
  corrects: z.number().nullable(),
});

/** What somebody writes beneath a signed report. */
export type AddendumWords = z.infer<typeof words>;

const copy = words.extend({
  draftId: z.string().nullable(),
  revision: z.number(),
  /** Absent in what was kept before it was noted. */
  patientRecordId: z.string().optional(),
  at: z.string().default(''),
});
type AddendumCopy = z.infer<typeof copy>;

const beginningOf = (reportId: string): string => `addendum.${reportId}`;

/** A name for the text of one window, and of no other: what one of them saves takes nothing from what another one keeps. */
export const newAddendumName = (reportId: string): string => `${beginningOf(reportId)}.${newId()}`;

/** What this browser keeps for the reader beneath a report, the newest first. */
export const addendumCopies = (reportId: string): (AddendumCopy & { name: string })[] =>
  unsavedNames(beginningOf(reportId))
    .filter((name) => name === beginningOf(reportId) || name.startsWith(`${beginningOf(reportId)}.`))
    .flatMap((name) => {
      const kept = readUnsaved(name, copy);
      return kept ? [{ ...kept, name }] : [];
    })
    .toSorted((one, other) => other.at.localeCompare(one.at));

export const keepAddendum = (name: string, text: Omit<AddendumCopy, 'at'>, owner: UnsavedOwner): boolean =>
  keepUnsaved(name, { ...text, at: new Date().toISOString() }, owner);

/** A copy of another window as it was when this one went on from it. */
export type AddendumOfThen = Pick<AddendumCopy, 'at'> & { name: string };

/** Forgets that copy, unless the other window has written in it since. */
export const forgetAddendum = ({ name, at }: AddendumOfThen, owner: UnsavedOwner): void => {
  if (readUnsaved(name, copy, owner)?.at === at) forgetUnsaved(name, owner);
};
