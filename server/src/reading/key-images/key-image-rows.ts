import { isDeepStrictEqual } from 'node:util';
import type { KeyImage, KeyImageForm } from '@radwork/contract/reading/key-images';
import type { Selectable } from 'kysely';
import type { KeyImages } from '#core/database/schema.ts';
import type { Scope } from '#core/access/scope.ts';

export type StoredKeyImage = Selectable<KeyImages>;

/** Converts a form to stored columns. */
export const columnsOf = (form: KeyImageForm) => ({
  series_instance_uid: form.seriesInstanceUID,
  sop_instance_uid: form.sopInstanceUID,
  frame: form.frame,
  note: form.note,
  look: JSON.stringify(form.look),
});

/** Converts stored columns to the fields of the form. The contract has validated them. */
const markedIn = (row: StoredKeyImage): Omit<KeyImageForm, 'revision'> => ({
  seriesInstanceUID: row.series_instance_uid,
  sopInstanceUID: row.sop_instance_uid,
  frame: row.frame,
  note: row.note,
  look: row.look as KeyImageForm['look'],
});

export const toKeyImage = ({ session }: Pick<Scope, 'session'>, row: StoredKeyImage): KeyImage => ({
  id: row.id,
  ...markedIn(row),
  revision: row.revision,
  author: { username: row.author_username, name: row.author_name },
  createdDate: row.created_at,
  isMine: row.author_id === session.userId,
});

/** Whether a stored key image equals the form. */
export const hasSameContent = (row: StoredKeyImage, form: KeyImageForm): boolean =>
  isDeepStrictEqual({ ...markedIn(row), revision: form.revision }, form);
