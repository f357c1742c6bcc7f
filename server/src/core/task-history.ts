import { sql } from 'kysely';
import { newId } from './ids.ts';
import type { TaskHistory } from './schema.ts';
import type { Scope } from './scope.ts';

type Task = {
  studyId: string;
  type: TaskHistory['type'];
  /** The state reached, or how severe a finding is, as its code. */
  displayValue: string;
  details?: string;
  /** The system did it by itself, as a consequence; `details` then says of what. */
  isBySystem?: boolean;
};

/** Writes down what happened to a study, for those who work on it, in the transaction in which it happens. */
export const noteTask = async ({ db, session }: Scope, task: Task): Promise<void> => {
  await db
    .insertInto('task_history')
    .values({
      id: newId(),
      study_id: task.studyId,
      type: task.type,
      display_value: task.displayValue,
      details: task.details ?? '',
      user_id: task.isBySystem ? null : session.userId,
      // Not now(), which is the same for everything in a transaction: cause and consequence keep their order.
      created_at: sql`clock_timestamp()`,
    })
    .execute();
};
