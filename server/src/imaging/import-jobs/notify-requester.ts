import { literal, sentence, type Sentence } from '@radwork/contract/core/translate';
import type { ImportJobState } from '@radwork/contract/imaging/import-job-states';
import type { Selectable } from 'kysely';
import { notify } from '#core/notifications/notify.ts';
import type { ImportJobs } from '#core/database/schema.ts';
import type { Scope } from '#core/access/scope.ts';
import { mayKnowStudy } from '#core/access/study-access.ts';

type ImportOutcome = { state: ImportJobState; expected: number | null; received: number };

const titles: Partial<Record<ImportJobState, Sentence>> = {
  DONE: sentence`Import completed`,
  PARTIAL: sentence`Import partly completed`,
  FAILED: sentence`Import failed`,
};

const whatCame = (row: Selectable<ImportJobs>, { received, expected }: ImportOutcome): Sentence => {
  const study = row.study_description ? literal(row.study_description) : sentence`A study`;
  if (expected === null) return sentence`${study} from ${row.remote_name}`;
  return sentence`${study} from ${row.remote_name}: ${received} of ${expected} instances`;
};

/**
 * Notifies the requester how the import ended. Leaves out the cause, because its text comes from the remote archive and
 * may name a patient. A requester who visited from another tenant has no notifications in this tenant.
 */
export const notifyRequester = async (
  scope: Scope,
  row: Selectable<ImportJobs>,
  ended: ImportOutcome,
): Promise<void> => {
  const title = titles[ended.state];
  if (title === undefined || row.requested_by_tenant_id !== row.tenant_id) return;
  const studyId = await studyIdOf(scope, row);
  await notify(scope, {
    to: [row.requested_by],
    isForActorToo: true,
    type: 'IMPORT',
    title,
    message: whatCame(row, ended),
    link: ended.state === 'DONE' && studyId ? `/studies/${studyId}` : '/queue-jobs',
    studyId,
  });
};

/** Returns the id of the study if the requester may know of it. */
const studyIdOf = async ({ db, session }: Scope, { study_instance_uid }: Selectable<ImportJobs>) => {
  const study = await db
    .selectFrom('studies')
    .select('id')
    .where('study_instance_uid', '=', study_instance_uid)
    .where(mayKnowStudy(session, 'studies.id'))
    .executeTakeFirst();
  return study?.id;
};
