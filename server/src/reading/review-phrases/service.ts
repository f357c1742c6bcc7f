import { t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import {
  mostPhrases,
  type ReviewPhrase,
  type reviewPhrases as endpoints,
} from '@radwork/contract/reading/review-phrases';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import { conflict, forbidden, orNotFound, Problem } from '#core/http/problem.ts';
import { hasPermission, type Scope } from '#core/access/scope.ts';
import { newId } from '#core/values/ids.ts';

const storedPhrases = ({ db, session }: Scope) =>
  db
    .selectFrom('review_phrases')
    .select(['id', 'text', 'decision', sql<boolean>`owner_id is null`.as('isShared')])
    // The phrases of other users are not visible.
    .where((is) => is.or([is('owner_id', 'is', null), is('owner_id', '=', session.userId)]));

/** Lists the shared phrases, then the caller's own, each in the order of creation. */
export const list = (scope: Scope): Promise<ReviewPhrase[]> =>
  storedPhrases(scope)
    .orderBy(sql`owner_id is not null`)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** Creates a phrase. Throws 403 if the caller may not create this kind, and 409 if it exists or there are too many. */
export const create = async (
  scope: Scope,
  { text, decision, isShared }: Body<typeof endpoints.create>,
): Promise<ReviewPhrase> => {
  assertMayKeep(scope, isShared);
  await assertRoom(scope, isShared);
  const id = newId();
  const owner = isShared ? null : scope.session.userId;
  const { numInsertedOrUpdatedRows: created } = await scope.db
    .insertInto('review_phrases')
    .values({ id, text, decision, owner_id: owner })
    .onConflict((taken) => taken.doNothing())
    .executeTakeFirstOrThrow();
  if (created === 0n) {
    const message = t`This phrase already exists`;
    throw new Problem(409, 'phrase.taken', message, { fields: { text: message } });
  }
  await noteChange(scope, 'reviewPhrase.create', { id, isShared });
  return { id, text, decision, isShared };
};

export const remove = async (scope: Scope, id: string): Promise<void> => {
  const phrase = orNotFound(await storedPhrases(scope).where('id', '=', id).executeTakeFirst(), 'phrase');
  assertMayKeep(scope, phrase.isShared);
  await scope.db.deleteFrom('review_phrases').where('id', '=', id).execute();
  await noteChange(scope, 'reviewPhrase.delete', phrase);
};

/** Audits a change, and reloads the windows of users who are offered the phrase. */
const noteChange = async (
  scope: Scope,
  action: string,
  { id, isShared }: Pick<ReviewPhrase, 'id' | 'isShared'>,
): Promise<void> => {
  await audit(scope, action, { entity: 'review_phrase', entityId: id, detail: { isShared } });
  await announce(scope, { kind: 'templates' }, isShared ? undefined : [scope.session.userId]);
};

/** Reviewers own private phrases. Users who manage templates own the shared phrases. */
const assertMayKeep = ({ session }: Scope, isShared: boolean): void => {
  if (!hasPermission(session, isShared ? 'template.manage' : 'report.review')) throw forbidden();
};

const assertRoom = async ({ db, session }: Scope, isShared: boolean): Promise<void> => {
  const { count } = await db
    .selectFrom('review_phrases')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('owner_id', isShared ? 'is' : '=', isShared ? null : session.userId)
    .executeTakeFirstOrThrow();
  if (count >= mostPhrases)
    throw conflict('phrase.full', t`There are already ${mostPhrases} phrases. Delete one first.`);
};
