import { mostRemoteStudies, type RemoteStudy, type remoteStudies } from '@radwork/contract/imaging/remote-studies';
import type { Query, Reply } from '@radwork/contract/core/endpoint';
import { audit } from '#core/audit/audit.ts';
import { Problem } from '#core/http/problem.ts';
import type { Scope, Session } from '#core/access/scope.ts';
import { mayKnowStudy } from '#core/access/study-access.ts';
import { openRemote, type Remotes } from './open-remote.ts';
import { RemoteError } from './remote-source.ts';

/** Milliseconds that a search may take. */
const longestSearch = 60_000;

/** Searches a remote archive. Throws 502 with the reason when the search fails. */
export const search = async (
  context: Remotes,
  session: Session,
  { configId, ...keys }: Query<typeof remoteStudies.search>,
): Promise<Reply<typeof remoteStudies.search>> => {
  const { studies, hasMore } = await inWords(async () => {
    const source = await openRemote(context, session, configId);
    return source.searchStudies(keys, mostRemoteStudies, AbortSignal.timeout(longestSearch));
  });
  return context.scopes.inTenant(session, async (scope) => {
    const known = await knownStudies(
      scope,
      studies.map(({ studyInstanceUID }) => studyInstanceUID),
    );
    await audit(scope, 'remote.search', {
      entity: 'remote_configuration',
      entityId: configId,
      detail: { found: studies.length },
    });
    const rows = studies.map((study) => ({ ...study, ...(known.get(study.studyInstanceUID) ?? unknown) }));
    return { studies: rows, hasMore };
  });
};

const inWords = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    throw new Problem(502, 'remote.failed', error.message);
  }
};

type StoredCounts = Pick<RemoteStudy, 'studyId' | 'storedInstanceCount'>;
const unknown: StoredCounts = { studyId: null, storedInstanceCount: null };

/** Returns the studies that are already in the caller's archive, with their numbers of instances, by UID. */
const knownStudies = async ({ db, session }: Scope, uids: readonly string[]): Promise<Map<string, StoredCounts>> => {
  if (uids.length === 0) return new Map();
  const rows = await db
    .selectFrom('studies')
    .select(['study_instance_uid', 'id as studyId', 'instance_count as storedInstanceCount'])
    .where('study_instance_uid', 'in', uids)
    .where('deleted_at', 'is', null)
    .where(mayKnowStudy(session, 'studies.id'))
    .execute();
  return new Map(rows.map(({ study_instance_uid, ...known }) => [study_instance_uid, known]));
};
