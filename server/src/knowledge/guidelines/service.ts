import type { GuidelineForm } from '@radwork/contract/knowledge/guidelines';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { textsOf } from '#knowledge/library/texts.ts';

const valuesOf = ({ session }: Scope, { title, author, content, modality, bodyPart }: GuidelineForm) => ({
  title,
  author,
  content,
  modality,
  body_part: bodyPart,
  updated_by: session.name,
});

/** The guidelines of an organization. */
export const texts = textsOf({
  noun: 'guideline',
  event: 'guidelines',
  owner: { column: 'guideline_id', table: 'guidelines' },
  view: 'guideline_search',
  read: ({ db }, ids) =>
    db
      .selectFrom('guidelines')
      .select(['id', 'title', 'author', 'content', 'modality', 'body_part as bodyPart'])
      .select(['revision', 'updated_by as updatedBy', 'updated_at as updatedAt'])
      .where('id', 'in', ids)
      .execute(),
  insert: (scope, id, form: GuidelineForm) =>
    scope.db
      .insertInto('guidelines')
      .values({ id, ...valuesOf(scope, form) })
      .execute(),
  change: (scope, id, form) =>
    scope.db
      .updateTable('guidelines')
      .set({ ...valuesOf(scope, form), revision: sql`revision + 1`, updated_at: sql`now()` })
      .where('id', '=', id)
      .execute(),
  show: (row, attachments) => ({ ...row, attachments }),
});
