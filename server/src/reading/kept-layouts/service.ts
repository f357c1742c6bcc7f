import { t } from '@radwork/contract/core/translate';
import { type KeptLayout, mostKeptLayouts } from '@radwork/contract/reading/kept-layouts';
import { sql } from 'kysely';
import { invalid } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';

/** Lists the saved layouts of the caller by kind. */
export const mine = ({ db, session }: Scope): Promise<KeptLayout[]> =>
  db
    .selectFrom('kept_layouts')
    .select(['kind', 'layout', 'roles'])
    .where('user_id', '=', session.userId)
    .orderBy('kind')
    .limit(mostKeptLayouts)
    .execute();

/** Saves a layout and replaces the earlier one of the same kind. Throws 422 when there are too many kinds. */
export const keep = async (scope: Scope, keptLayout: KeptLayout): Promise<KeptLayout> => {
  const { db, session } = scope;
  await assertRoom(scope, keptLayout.kind);
  const { layout, roles } = keptLayout;
  await db
    .insertInto('kept_layouts')
    .values({ ...keptLayout, user_id: session.userId })
    .onConflict((known) => known.columns(['tenant_id', 'user_id', 'kind']).doUpdateSet({ layout, roles }))
    .execute();
  return keptLayout;
};

export const forget = async ({ db, session }: Scope, kind: string): Promise<void> => {
  await db.deleteFrom('kept_layouts').where('user_id', '=', session.userId).where('kind', '=', kind).execute();
};

const assertRoom = async ({ db, session }: Scope, kind: string) => {
  const { count } = await db
    .selectFrom('kept_layouts')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('user_id', '=', session.userId)
    .where('kind', '<>', kind)
    .executeTakeFirstOrThrow();
  if (count >= mostKeptLayouts) throw invalid({ kind: t`You have too many saved layouts. Delete some first.` });
};
