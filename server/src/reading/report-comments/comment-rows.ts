import type { ReportComment } from '@radwork/contract/reading/report-comments';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { personOf } from '#reading/report-records/stored-report.ts';

type Person = ReportComment['author'];

/** SQL: the replies to a comment, oldest first, as JSON. */
const repliesOf = sql<ReportComment['replies']>`coalesce((
  select json_agg(json_build_object(
    'id', reply.id,
    'author', json_build_object('id', writer.id, 'username', writer.username, 'name', writer.name),
    'text', reply.text,
    'createdAt', to_char(reply.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  ) order by reply.created_at, reply.id)
  from report_comment_replies reply join users writer on writer.id = reply.author_id
  where reply.comment_id = c.id), '[]'::json)`;

const storedComments = ({ db }: Scope, reportId: string) =>
  db
    .selectFrom('report_comments as c')
    .innerJoin('users as author', 'author.id', 'c.author_id')
    .leftJoin('users as settler', 'settler.id', 'c.settled_by')
    .where('c.report_id', '=', reportId)
    .select(['c.id', 'c.author_id', 'c.version', 'c.text', 'c.replacement', 'c.state', 'c.settled_at', 'c.created_at'])
    .select(['c.passage', 'c.prefix', 'c.suffix', 'c.passage_start', 'c.passage_end'])
    .select([
      personOf('author').as('author'),
      personOf<Person | null>('settler').as('settled_by'),
      repliesOf.as('replies'),
    ]);

export type StoredComment = Awaited<ReturnType<ReturnType<typeof storedComments>['execute']>>[number];

/** Returns the comments of a report in the order of their passages. */
export const commentsOf = (scope: Scope, reportId: string): Promise<StoredComment[]> =>
  storedComments(scope, reportId).orderBy('c.passage_start').orderBy('c.created_at').orderBy('c.id').execute();

/** Returns the number of comments on a report. */
export const countComments = async ({ db }: Scope, reportId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('report_comments')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('report_id', '=', reportId)
    .executeTakeFirstOrThrow();
  return count;
};

/** Returns one comment of a report, locked until the end of the transaction. Undefined if there is none. */
export const commentToChange = async (
  scope: Scope,
  reportId: string,
  commentId: string,
): Promise<StoredComment | undefined> =>
  storedComments(scope, reportId).where('c.id', '=', commentId).forUpdate('c').executeTakeFirst();

export const toComment = (comment: StoredComment, canDelete: boolean): ReportComment => ({
  id: comment.id,
  author: comment.author,
  version: comment.version,
  anchor: {
    exact: comment.passage,
    prefix: comment.prefix,
    suffix: comment.suffix,
    start: comment.passage_start,
    end: comment.passage_end,
  },
  text: comment.text,
  replacement: comment.replacement,
  state: comment.state,
  settledBy: comment.settled_by,
  settledAt: comment.settled_at,
  createdAt: comment.created_at,
  replies: comment.replies,
  canDelete,
});
