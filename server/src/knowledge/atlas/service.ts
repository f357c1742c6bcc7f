import type { AtlasForm } from '@radwork/contract/knowledge/atlas';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { textsOf } from '#knowledge/library/texts.ts';

const valuesOf = ({ session }: Scope, { title, author, modality, bodyPart, summary }: AtlasForm) => ({
  title,
  author,
  modality,
  body_part: bodyPart,
  summary,
  updated_by: session.name,
});

/** The atlas of an organization. */
export const entries = textsOf({
  noun: 'atlas',
  event: 'atlas',
  owner: { column: 'atlas_id', table: 'atlases' },
  view: 'atlas_search',
  read: ({ db }, ids) =>
    db
      .selectFrom('atlases')
      .select(['id', 'title', 'author', 'modality', 'body_part as bodyPart', 'summary'])
      .select(['revision', 'updated_by as updatedBy', 'updated_at as updatedAt'])
      .where('id', 'in', ids)
      .execute(),
  insert: (scope, id, form: AtlasForm) =>
    scope.db
      .insertInto('atlases')
      .values({ id, ...valuesOf(scope, form) })
      .execute(),
  change: (scope, id, form) =>
    scope.db
      .updateTable('atlases')
      .set({ ...valuesOf(scope, form), revision: sql`revision + 1`, updated_at: sql`now()` })
      .where('id', '=', id)
      .execute(),
  show: (row, files) => ({ ...row, files }),
});
