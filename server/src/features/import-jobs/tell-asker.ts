import type { ImportJobState } from '@radwork/contract/import-jobs';
import type { Selectable } from 'kysely';
import { notify } from '#core/notify.ts';
import type { ImportJobs } from '#core/schema.ts';
import type { Scope } from '#core/scope.ts';
import { mayKnowStudy } from '#core/study-access.ts';

type Ended = { state: ImportJobState; expected: number | null; received: number };

const titles: Partial<Record<ImportJobState, string>> = {
  DONE: 'An import is done',
  PARTIAL: 'An import is done in part',
  FAILED: 'An import failed',
};

/**
 * Tells whoever asked for an import how it ended. Its cause is not repeated: other archives word it, and may name a
 * patient. Visitors from another tenant are not told here, where they have no inbox.
 */
export const tellAsker = async (scope: Scope, row: Selectable<ImportJobs>, ended: Ended): Promise<void> => {
  const title = titles[ended.state];
  if (title === undefined || row.requested_by_tenant_id !== row.tenant_id) return;
  const { received, expected } = ended;
  const count = expected === null ? '' : `: ${received} of ${expected} instances`;
  const studyId = await studyIdOf(scope, row);
  await notify(scope, {
    to: [row.requested_by],
    isForActorToo: true,
    type: 'IMPORT',
    title,
    message: `${row.study_description || 'A study'} from ${row.remote_name}${count}`,
    link: ended.state === 'DONE' && studyId ? `/studies/${studyId}` : '/queue-jobs',
    studyId,
  });
};

/** The study, where the asker may know of it. */
const studyIdOf = async ({ db, session }: Scope, { study_instance_uid }: Selectable<ImportJobs>) => {
  const study = await db
    .selectFrom('studies')
    .select('id')
    .where('study_instance_uid', '=', study_instance_uid)
    .where(mayKnowStudy(session, 'studies.id'))
    .executeTakeFirst();
  return study?.id;
};
