import { addendumKinds } from '@radwork/contract/reading/report-parts';
import { z } from 'zod';
import { newId } from '#core/browser/new-id.ts';
import { forgetUnsaved, saveUnsaved, readUnsaved, unsavedNames, type UnsavedOwner } from '#core/state/unsaved-texts.ts';

const words = z.object({
  kind: z.enum(addendumKinds),
  content: z.string(),
  passage: z.string(),
  corrects: z.number().nullable(),
});

/** The text of an addendum as its author writes it. */
export type AddendumText = z.infer<typeof words>;

const copy = words.extend({
  draftId: z.string().nullable(),
  revision: z.number(),
  /** Missing in copies that older versions of the application have stored. */
  patientRecordId: z.string().optional(),
  at: z.string().default(''),
});
type AddendumCopy = z.infer<typeof copy>;

const beginningOf = (reportId: string): string => `addendum.${reportId}`;

/** A storage name unique to one window, so that two windows never overwrite each other's addendum. */
export const newAddendumName = (reportId: string): string => `${beginningOf(reportId)}.${newId()}`;

/** Copies of the reader's addenda to a report in this browser, newest first. */
export const addendumCopies = (reportId: string): (AddendumCopy & { name: string })[] =>
  unsavedNames(beginningOf(reportId))
    .filter((name) => name === beginningOf(reportId) || name.startsWith(`${beginningOf(reportId)}.`))
    .flatMap((name) => {
      const stored = readUnsaved(name, copy);
      return stored ? [{ ...stored, name }] : [];
    })
    .toSorted((one, other) => other.at.localeCompare(one.at));

export const saveAddendumCopy = (name: string, text: Omit<AddendumCopy, 'at'>, owner: UnsavedOwner): boolean =>
  saveUnsaved(name, { ...text, at: new Date().toISOString() }, owner);

/** State of another window's copy at the time when this window took it over. */
export type AddendumCopyState = Pick<AddendumCopy, 'at'> & { name: string };

/** Deletes a copy taken over from another window, unless that window has changed the copy after the takeover. */
export const deleteAddendumCopy = ({ name, at }: AddendumCopyState, owner: UnsavedOwner): void => {
  if (readUnsaved(name, copy, owner)?.at === at) forgetUnsaved(name, owner);
};
