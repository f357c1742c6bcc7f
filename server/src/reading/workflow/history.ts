import type { Query } from '@radwork/contract/core/endpoint';
import { type Page, pageOf } from '@radwork/contract/core/paging';
import { seesDrafts } from '@radwork/contract/reading/report-rights';
import { serversName } from '@radwork/contract/identity/users';
import { type TaskEntry, taskTypeDescriptions, type workflow } from '@radwork/contract/reading/workflow';
import type { Scope } from '#core/access/scope.ts';
import { studyById } from '#imaging/studies/study-rows.ts';
import { systemMoves } from '#imaging/studies/system-moves.ts';

/**
 * Selects the history entries that the caller may see. Users who may read only signed reports see no entries about
 * drafts, reviews or findings.
 */
const knownEntries = ({ db, session }: Scope, studyId: string) =>
  db
    .selectFrom('task_history as t')
    .where('t.study_id', '=', studyId)
    .$if(!seesDrafts(session.userType), (entries) =>
      entries.where((entry) =>
        entry.or([
          entry('t.type', '=', 'STUDY_ASSIGNMENT'),
          // Hides status changes that would reveal a new draft.
          entry.and([
            entry('t.type', '=', 'STUDY_STATUS_CHANGE'),
            entry('t.details', '!=', systemMoves.firstDraft.cause),
          ]),
          entry.and([entry('t.type', '=', 'REPORT_STATUS'), entry('t.display_value', '=', 'FINALIZED')]),
        ]),
      ),
    );

/** Selects the visible entries and their users. */
export const storedEntries = (scope: Scope, studyId: string) =>
  knownEntries(scope, studyId)
    .leftJoin('users as u', 'u.id', 't.user_id')
    .select(['t.id', 't.type', 't.created_at', 't.display_value', 't.details', 'u.username']);

type StoredEntry = Awaited<ReturnType<ReturnType<typeof storedEntries>['execute']>>[number];

export const toTaskEntry = (row: StoredEntry): TaskEntry => ({
  id: row.id,
  type: row.type,
  typeDescription: taskTypeDescriptions[row.type],
  timestamp: row.created_at,
  displayValue: row.display_value,
  details: row.details,
  user: { username: row.username ?? serversName },
});

/** Returns one page of a study's history. */
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
  const { total } = await knownEntries(scope, studyId)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return pageOf(rows.map(toTaskEntry), Number(total), { page, size });
};
