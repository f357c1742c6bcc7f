import type { Query } from '@radwork/contract/core/endpoint';
import type { peerReviews as endpoints, ReaderFigures } from '@radwork/contract/reading/peer-reviews';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { endOfDay, startOfDay } from '#core/values/days.ts';

/**
 * Returns the figures of each reader about the reports that the reader signed in a period. They contain no reviewer. Only
 * readers who signed a report are listed.
 */
export const figures = async (
  { db, session: { timeZone } }: Scope,
  { from, to }: Query<typeof endpoints.figures>,
): Promise<ReaderFigures[]> => {
  const since = from ? sql`r.finalized_at >= ${startOfDay(from, timeZone)}` : sql`true`;
  const until = to ? sql`r.finalized_at < ${endOfDay(to, timeZone)}` : sql`true`;
  const counted = (condition: ReturnType<typeof sql>) => sql`(count(p.id) filter (where ${condition}))::int`;
  const { rows } = await sql<ReaderFigures>`
    select json_build_object('id', u.id, 'username', u.username, 'name', u.name) as reader,
      count(distinct r.id)::int as signed,
      ${counted(sql`p.origin = 'RANDOM'`)} as "chosenAtRandom",
      ${counted(sql`p.origin = 'CHOSEN'`)} as "chosenByHand",
      ${counted(sql`p.state = 'OPEN'`)} as open,
      array[${sql.join([1, 2, 3, 4].map((grade) => counted(sql`p.grade = ${sql.lit(grade)}`)))}] as grades,
      ${counted(sql`p.is_significant`)} as significant
    from reports r join users u on u.id = r.finalized_by join studies s on s.id = r.study_id
    left join peer_reviews p on p.report_id = r.id
    where r.status = 'FINALIZED' and s.deleted_at is null and ${since} and ${until}
    group by u.id, u.username, u.name order by u.name, u.id`.execute(db);
  return rows;
};
