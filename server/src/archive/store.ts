import { type Incoming, TooLarge } from '#core/blob-store.ts';
import type { Context } from '#core/context.ts';
import type { Session } from '#core/scope.ts';
import { createLimit } from './limit.ts';
import { failureReasons } from './failure-reasons.ts';
import { type Candidate, ingest, isRefusal, type Refusal } from './ingest.ts';
import { type StoredFile, writeBatch } from './write-batch.ts';

export type UploadedFile = { name: string; body: AsyncIterable<Buffer> };

/** What became of the files of an upload, each list in the order they came. */
export type StoreResult = { stored: StoredFile[]; refused: Refusal[] };

export type StoreOptions = {
  /** The only study that the files may belong to, if one is named. Asked for each batch, when it is decided about. */
  studyInstanceUID?: () => string | undefined;
  /**
   * Hears why `files` broke off. What had arrived in full by then is stored all the same, for a sender who asks again
   * for the rest; without it, an upload that breaks off leaves nothing that has not been decided about.
   */
  onBreak?: (error: unknown) => void;
  /** Hears of errors of ours that are reported to the sender as one file's failure. */
  onError?: (error: unknown) => void;
};

type Archive = Pick<Context, 'blobs' | 'scopes' | 'config'>;

/** Files of one upload that are read, indexed and synced while the next ones arrive. */
const filesInFlight = 8;
/** Files that become visible together. */
export const filesPerBatch = 50;

/**
 * Stores files in the session's tenant: the one way into the archive. When it resolves, what it calls stored
 * survives a power cut, rows and bytes (design/security.md D2). One bad file does not spoil the others, and a
 * refused one leaves nothing behind. When `files` throws, those that have not been decided about are forgotten,
 * unless `onBreak` is there to hear of it.
 */
export const storeInstances = async (
  archive: Archive,
  session: Session,
  files: AsyncIterable<UploadedFile> | Iterable<UploadedFile>,
  options: StoreOptions = {},
): Promise<StoreResult> => {
  const upload = startUpload(archive, session, options);
  try {
    await takeAll(upload, files, options);
    return await upload.finish();
  } catch (error) {
    await upload.abandon();
    throw error;
  }
};

const takeAll = async (
  { take }: ReturnType<typeof startUpload>,
  files: AsyncIterable<UploadedFile> | Iterable<UploadedFile>,
  { onBreak }: StoreOptions,
) => {
  try {
    for await (const file of files) await take(file);
  } catch (error) {
    if (!onBreak) throw error;
    onBreak(error);
  }
};

/** One file of the upload, from the moment it is taken until it is decided about. */
type Entry = { position: number; outcome?: StoredFile | Refusal | undefined };
type Waiting = { entry: Entry; candidate: Candidate };

const startUpload = (archive: Archive, session: Session, options: StoreOptions) => {
  const entries: Entry[] = [];
  const inFlight = new Set<Promise<void>>();
  const inTurn = createLimit(1);
  const audited = new Set<string>();
  let waiting: Waiting[] = [];
  let failure: { error: unknown } | undefined;

  const decide = async () => {
    const batch = waiting.toSorted((one, other) => one.entry.position - other.entry.position);
    waiting = [];
    if (batch.length === 0) return;
    const candidates = batch.map(({ candidate }) => candidate);
    const onlyStudy = options.studyInstanceUID?.();
    const outcomes = await inTurn(() => writeBatch(archive, session, candidates, { onlyStudy, audited }));
    for (const [index, { entry }] of batch.entries()) entry.outcome = outcomes[index];
  };

  const process = async (entry: Entry, name: string, blob: Incoming) => {
    const outcome = await ingest(name, blob).catch((error: unknown) => refusalOfFailure(name, error, options));
    if (isRefusal(outcome)) entry.outcome = outcome;
    else waiting.push({ entry, candidate: outcome });
    if (waiting.length >= filesPerBatch) await decide();
  };

  /** Nobody waits for this work yet; should it fail, the next file hears of it. */
  const start = (work: Promise<void>) => {
    const settled = work
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => inFlight.delete(settled));
    inFlight.add(settled);
  };

  const throwFailure = () => {
    if (failure) throw failure.error;
  };

  return {
    take: async ({ name, body }: UploadedFile): Promise<void> => {
      const entry: Entry = { position: entries.length };
      entries.push(entry);
      const received = await receive(archive, name, body);
      if (isRefusal(received)) entry.outcome = received;
      else start(process(entry, name, received));
      if (inFlight.size >= filesInFlight) await Promise.race(inFlight);
      throwFailure();
    },
    finish: async (): Promise<StoreResult> => {
      await Promise.all(inFlight);
      throwFailure();
      await decide();
      const outcomes = entries.flatMap(({ outcome }) => outcome ?? []);
      return {
        stored: outcomes.flatMap((outcome) => (isRefusal(outcome) ? [] : outcome)),
        refused: outcomes.filter(isRefusal),
      };
    },
    abandon: async (): Promise<void> => {
      await Promise.all(inFlight);
      await Promise.all(waiting.map(({ candidate }) => candidate.blob.discard()));
    },
  };
};

const receive = async (
  { blobs, config }: Archive,
  name: string,
  body: AsyncIterable<Buffer>,
): Promise<Incoming | Refusal> => {
  try {
    return await blobs.receive(body, config.maxInstanceBytes);
  } catch (error) {
    const most = Math.floor(config.maxInstanceBytes / 2 ** 20);
    if (error instanceof TooLarge)
      return outOfResources(name, `The file is larger than ${most} MB, the most taken here.`);
    if (isDiskFull(error)) return outOfResources(name, 'The server has no space left.');
    throw error;
  }
};

const outOfResources = (name: string, reason: string): Refusal => ({
  name,
  reason,
  failureReason: failureReasons.outOfResources,
});

const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');

/** A file that fails for a reason nobody thought of fails alone, and the reason is ours to find. */
const refusalOfFailure = (name: string, error: unknown, { onError }: StoreOptions): Refusal => {
  if (isDiskFull(error)) return outOfResources(name, 'The server has no space left.');
  onError?.(error);
  return { name, reason: 'The server failed to process the file.', failureReason: failureReasons.processingFailure };
};
