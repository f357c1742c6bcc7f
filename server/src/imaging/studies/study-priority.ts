import type { Priority } from '@radwork/contract/core/priorities';
import { sql } from 'kysely';
import { auditStudy } from '#core/audit/audit.ts';
import type { Scope } from '#core/access/scope.ts';
import type { StoredStudy } from './study-rows.ts';

/** Sets the priority of a locked study, and audits it. The caller tells browsers. */
export const setPriorityQuietly = async (scope: Scope, study: StoredStudy, priority: Priority): Promise<void> => {
  await scope.db
    .updateTable('studies')
    .set({ priority, revision: study.revision + 1, updated_at: sql`now()` })
    .where('id', '=', study.id)
    .execute();
  await auditStudy(scope, 'study.update', study, { fields: 'priority', from: study.priority, to: priority });
};
