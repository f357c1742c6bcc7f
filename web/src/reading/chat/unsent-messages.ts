import { z } from 'zod';
import { forgetUnsaved, saveUnsaved, readUnsaved } from '#core/state/unsaved-texts.ts';

const unsent = z.object({ id: z.string(), text: z.string(), at: z.string() });

/**
 * A message that the server has not confirmed. The browser creates the ID, so a retry does not store the message twice.
 */
export type Unsent = z.infer<typeof unsent>;

const outboxName = (studyId: string) => `chat.${studyId}`;
const draftName = (studyId: string) => `chat-draft.${studyId}`;

/** Reads the unconfirmed messages of a conversation, from all tabs of the user. */
export const readOutbox = (studyId: string): Unsent[] => readUnsaved(outboxName(studyId), z.array(unsent)) ?? [];

/** Stores a message in this browser until the server has it. Returns false when the browser storage is full. */
export const storeUnsent = (studyId: string, message: Unsent): boolean => {
  const others = readOutbox(studyId).filter(({ id }) => id !== message.id);
  return saveUnsaved(outboxName(studyId), [...others, message]);
};

export const dropFromOutbox = (studyId: string, messageId: string): void => {
  const remaining = readOutbox(studyId).filter(({ id }) => id !== messageId);
  if (remaining.length === 0) forgetUnsaved(outboxName(studyId));
  else saveUnsaved(outboxName(studyId), remaining);
};

/** Reads the text that the user typed and did not send. */
export const readDraft = (studyId: string): string => readUnsaved(draftName(studyId), z.string()) ?? '';

export const saveDraft = (studyId: string, text: string): void => {
  if (text === '') forgetUnsaved(draftName(studyId));
  else saveUnsaved(draftName(studyId), text);
};
