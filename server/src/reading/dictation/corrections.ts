import { t } from '@radwork/contract/core/translate';
import { type Correction, type CorrectionForm, mostCorrections } from '@radwork/contract/reading/dictation';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { conflict, invalid, orNotFound, type Problem } from '#core/http/problem.ts';
import { unlessTaken } from '#core/database/unless-taken.ts';
import { newId } from '#core/values/ids.ts';

const ownCorrections = ({ db, session }: Scope) =>
  db.selectFrom('dictation_corrections').select(['id', 'written', 'said']).where('user_id', '=', session.userId);

/** Lists the corrections of the caller, the latest first. */
export const listCorrections = (scope: Scope): Promise<Correction[]> =>
  ownCorrections(scope).orderBy('created_at', 'desc').orderBy('id').limit(mostCorrections).execute();

/** Returns the words that the caller says, for the recognizer. Each once, the latest first. */
export const ownWords = async (scope: Scope): Promise<string[]> => [
  ...new Set((await listCorrections(scope)).map(({ said }) => said)),
];

/** Adds a correction. Throws 409 when the list is full, and 422 when these words already have a correction. */
export const addCorrection = async (scope: Scope, form: CorrectionForm): Promise<Correction> => {
  await assertRoom(scope);
  const id = newId();
  await unlessTaken(
    'dictation_corrections_written',
    wordsTaken,
    scope.db.insertInto('dictation_corrections').values({ id, ...form, user_id: scope.session.userId }),
  );
  return { id, ...form };
};

/** Changes a correction of the caller. Throws 404, and 422 when the words already have another correction. */
export const changeCorrection = async (scope: Scope, id: string, form: CorrectionForm): Promise<Correction> => {
  orNotFound(await ownCorrections(scope).where('id', '=', id).executeTakeFirst(), 'correction of dictation');
  await unlessTaken(
    'dictation_corrections_written',
    wordsTaken,
    scope.db.updateTable('dictation_corrections').set(form).where('id', '=', id),
  );
  return { id, ...form };
};

export const removeCorrection = async (scope: Scope, id: string): Promise<void> => {
  orNotFound(await ownCorrections(scope).where('id', '=', id).executeTakeFirst(), 'correction of dictation');
  await scope.db.deleteFrom('dictation_corrections').where('id', '=', id).execute();
};

const assertRoom = async ({ db, session }: Scope): Promise<void> => {
  const { count } = await db
    .selectFrom('dictation_corrections')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('user_id', '=', session.userId)
    .executeTakeFirstOrThrow();
  if (count < mostCorrections) return;
  throw conflict('correction.full', t`You already have ${mostCorrections} corrections. Delete one first.`);
};

const wordsTaken = (): Problem => invalid({ written: t`These words already have a correction` });
