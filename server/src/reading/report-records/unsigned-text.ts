import { seesDrafts } from '@radwork/contract/reading/report-rights';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';

/** When a text in the images of a study was written, and by whom. */
export type WrittenText = { at: string; authorId: string | null };

/**
 * Returns a function that tells whether a text in the images of a study is hidden from the caller. Notes and labels
 * belong to the reader's draft until a report or addendum is signed after them. Their authors, and users who see
 * drafts, always see them.
 */
export const unsignedTextTest = async (
  { db, session }: Scope,
  studyId: string,
): Promise<(words: WrittenText) => boolean> => {
  if (seesDrafts(session.userType)) return () => false;
  const { signedAt } = await db
    .selectFrom('reports as r')
    .leftJoin('report_addenda as a', (join) =>
      join
        .onRef('a.report_id', '=', 'r.id')
        .onRef('a.tenant_id', '=', 'r.tenant_id')
        .on('a.finalized_at', 'is not', null),
    )
    .select(sql<string | null>`max(greatest(r.finalized_at, a.finalized_at))`.as('signedAt'))
    .where('r.study_id', '=', studyId)
    .where('r.status', '=', 'FINALIZED')
    .executeTakeFirstOrThrow();
  const signed = signedAt === null ? Number.NEGATIVE_INFINITY : Date.parse(signedAt);
  return ({ at, authorId }) => authorId !== session.userId && Date.parse(at) > signed;
};
