import type { Query } from '@radwork/contract/endpoint';
import { type Page, pageOf } from '@radwork/contract/paging';
import { type TaskEntry, taskTypeDescriptions, type workflow } from '@radwork/contract/workflow';
import type { Scope } from '#core/scope.ts';
import { studyById } from '#features/studies/study-rows.ts';

/** The task history of a study, each entry with who did it. */
export const storedEntries = ({ db }: Scope, studyId: string) =>
  db
    .selectFrom('task_history as t')
    .leftJoin('users as u', 'u.id', 't.user_id')
    .select(['t.id', 't.type', 't.created_at', 't.display_value', 't.details', 'u.username'])
    .where('t.study_id', '=', studyId);

type StoredEntry = Awaited<ReturnType<ReturnType<typeof storedEntries>['execute']>>[number];

export const toTaskEntry = (row: StoredEntry): TaskEntry => ({
  id: row.id,
  type: row.type,
  typeDescription: taskTypeDescriptions[row.type],
  timestamp: row.created_at,
  displayValue: row.display_value,
  details: row.details,
  user: { username: row.username ?? 'system' },
});

/** One page of what happened to a study. */
export const history = async (
  scope: Scope,
  studyId: string,
  { page, size, sort }: Query<typeof workflow.history>,
): Promise<Page<TaskEntry>> => {
  await studyById(scope, studyId);
  const rows = await storedEntries(scope, studyId)
    .orderBy('t.created_at', sort.direction)
    .orderBy('t.id', sort.direction)
    .limit(size)
    .offset(page * size)
    .execute();
  const { total } = await scope.db
    .selectFrom('task_history')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('study_id', '=', studyId)
    .executeTakeFirstOrThrow();
  return pageOf(rows.map(toTaskEntry), Number(total), { page, size });
};
