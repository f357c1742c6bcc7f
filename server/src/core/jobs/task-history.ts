import { sql } from 'kysely';
import { newId } from '#core/values/ids.ts';
import type { TaskHistory } from '#core/database/schema.ts';
import type { Scope } from '#core/access/scope.ts';

type Task = {
  studyId: string;
  type: TaskHistory['type'];
  /** The new state, or the severity of a finding, as a code. */
  displayValue: string;
  details?: string;
  /** True when the system acted because of another event, which `details` names. */
  isBySystem?: boolean;
};

/** Records an event in the history of a study, in the current transaction. */
export const recordTask = async ({ db, session }: Scope, task: Task): Promise<void> => {
  await db
    .insertInto('task_history')
    .values({
      id: newId(),
      study_id: task.studyId,
      type: task.type,
      display_value: task.displayValue,
      details: task.details ?? '',
      user_id: task.isBySystem ? null : session.userId,
      // now() would give all events of a transaction the same time, but a cause must come before its consequence.
      created_at: sql`clock_timestamp()`,
    })
    .execute();
};
