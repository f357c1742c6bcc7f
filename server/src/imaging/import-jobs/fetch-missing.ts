import type { FileSource } from '#imaging/archive/index/plan-batch.ts';
import { type UploadedFile, storeInstances } from '#imaging/archive/store/store-instances.ts';
import type { Context } from '#core/context.ts';
import type { Session } from '#core/access/scope.ts';
import { RemoteError, type RemoteInstance, type RemoteSource } from '#imaging/remote-archives/remote-source.ts';
import { recordListed, recordRefusal, onceEach, type Progress } from './progress.ts';
import { showRejected } from '#imaging/archive/rejection/show-rejected.ts';

export type Fetching = {
  archive: Pick<Context, 'blobs' | 'scopes' | 'config' | 'metrics'>;
  /** The session of the requester. Images are imported on behalf of the requester, into the requester's tenant. */
  session: Session;
  source: RemoteSource;
  /** The remote archive from which the files come. Its configuration may set the issuer of Patient IDs. */
  fileSource?: FileSource;
  studyInstanceUID: string;
  /** Ids of studies for which this import already has an audit entry. */
  audited: Set<string>;
  /** Called when there is progress, about once a second. */
  onProgress: (progress: Progress) => Promise<void>;
  /** Called with internal errors that make one file fail. */
  onError: (error: unknown) => void;
};

/**
 * Milliseconds. Files that arrive within this time are stored in one batch, so that users see progress and a failure
 * repeats little.
 */
const togetherMs = 1000;

/**
 * Lists the study in the archive and fetches the missing instances, once. Errors of the archive are recorded in
 * `progress`; internal errors are thrown. When the signal aborts, stops and keeps the instances that have arrived.
 */
export const fetchMissing = async (fetching: Fetching, progress: Progress, signal: AbortSignal): Promise<void> => {
  const { source, studyInstanceUID, onProgress } = fetching;
  progress.broken = undefined;
  progress.refusedNameless = [];
  try {
    const { instances, promised, omission } = await source.listInstances(studyInstanceUID, signal);
    const uniqueInstances = onceEach(instances);
    recordListed(progress, uniqueInstances, promised);
    progress.omission = omission;
    progress.storedUids = await presentOf(fetching, progress.expected ?? new Set());
    await onProgress(progress);
    const missing = uniqueInstances.filter(({ sopInstanceUID }) => !progress.storedUids.has(sopInstanceUID));
    if (missing.length > 0) await fetchAll(fetching, missing, progress, signal);
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof RemoteError)) throw error;
    progress.broken = error;
  }
};

/** Returns the expected instances that are in our archive. Leaves out instances whose file is lost. */
export const presentOf = async (
  { archive, session, studyInstanceUID }: Pick<Fetching, 'archive' | 'session' | 'studyInstanceUID'>,
  expected: ReadonlySet<string>,
): Promise<Set<string>> => {
  const rows = await archive.scopes.inTenant(session, async ({ db }) => {
    // A rejected instance is stored. The archive would refuse it.
    await showRejected({ db });
    return db
      .selectFrom('instances')
      .innerJoin('studies', 'studies.id', 'instances.study_id')
      .select('sop_instance_uid')
      .where('study_instance_uid', '=', studyInstanceUID)
      .where('deleted_at', 'is', null)
      .where('missing_since', 'is', null)
      .execute();
  });
  return new Set(rows.map(({ sop_instance_uid }) => sop_instance_uid).filter((uid) => expected.has(uid)));
};

const fetchAll = async (
  { archive, session, source, fileSource, studyInstanceUID, audited, onProgress, onError }: Fetching,
  missing: readonly RemoteInstance[],
  progress: Progress,
  signal: AbortSignal,
) => {
  const files = source.retrieve(studyInstanceUID, missing, signal)[Symbol.asyncIterator]();
  const errors: unknown[] = [];
  let isOver = false;
  try {
    while (!isOver && !signal.aborted && !errors.some(isOurs)) {
      const coming = comingSoon(files, () => {
        isOver = true;
      });
      const { stored, refused } = await storeInstances(archive, session, coming, {
        studyInstanceUID: () => studyInstanceUID,
        // A broken file does not end the import, because the archive may still deliver the other files.
        onBreak: (error) => errors.push(error),
        ...(fileSource && { fileSource }),
        audited,
        onError,
      });
      const ours = stored.filter(({ sopInstanceUID }) => progress.expected?.has(sopInstanceUID));
      for (const { sopInstanceUID } of ours) progress.storedUids.add(sopInstanceUID);
      for (const refusal of refused) recordRefusal(progress, refusal);
      await onProgress(progress);
    }
  } finally {
    await files.return?.();
  }
  if (errors.length > 0) throw errors.find(isOurs) ?? errors[0];
};

const isOurs = (error: unknown): boolean => !(error instanceof RemoteError);

/** Yields the files that arrive within `togetherMs`. Calls `onEnd` after the last file. */
async function* comingSoon(files: AsyncIterator<UploadedFile>, onEnd: () => void): AsyncGenerator<UploadedFile> {
  for (const until = Date.now() + togetherMs; Date.now() < until;) {
    const next = await files.next();
    if (next.done) {
      onEnd();
      return;
    }
    yield next.value;
  }
}
