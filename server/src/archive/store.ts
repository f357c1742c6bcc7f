import { type Incoming, TooLarge } from '#core/blob-store.ts';
import type { Context } from '#core/context.ts';
import { NotScanned } from '#core/malware-scan.ts';
import { Problem } from '#core/problem.ts';
import type { Session } from '#core/scope.ts';
import { createLimit } from './limit.ts';
import { failureName, failureReasons } from './failure-reasons.ts';
import { type Candidate, ingest, isRefusal, type Refusal } from './ingest.ts';
import { refuse, type WayIn } from './plan-batch.ts';
import { isDiskFull, isNearlyFull, refusalForSpace } from './space.ts';
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
  /** What the sender says that its file is: one that is something else is refused. */
  announced?: Pick<Candidate, 'sopClassUID' | 'sopInstanceUID'>;
  /** The studies whose entry in the audit is written already, where several calls are one upload to the sender. */
  audited?: Set<string>;
  /** The way in, which may have an issuer of the patient IDs of files that name none. */
  way?: WayIn;
  /** Hears of errors of ours that are reported to the sender as one file's failure. */
  onError?: (error: unknown) => void;
};

type Archive = Pick<Context, 'blobs' | 'scopes' | 'config' | 'metrics'>;

/** Files of one upload that are read, indexed and synced while the next ones arrive. */
const filesInFlight = 8;
/** The same of all uploads of the server, which share them when there are many: each holds a piece of memory. */
const filesInFlightTogether = 48;
/** Of each upload, however many there are: one is put on disk while another is read. */
const leastInFlight = 2;
let uploads = 0;

const shareOfUpload = (): number =>
  Math.min(filesInFlight, Math.max(leastInFlight, Math.floor(filesInFlightTogether / uploads)));

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
  uploads += 1;
  try {
    await takeAll(upload, files, options);
    return await upload.finish();
  } catch (error) {
    await upload.abandon();
    throw error;
  } finally {
    uploads -= 1;
  }
};

const refuseForSpace = ({ name, sopClassUID, sopInstanceUID }: Candidate): Refusal => ({
  ...refusalForSpace(name),
  sopClassUID,
  sopInstanceUID,
});

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
  const atTheGate = new Set<Promise<unknown>>();
  const inFlight = new Set<Promise<unknown>>();
  const inTurn = createLimit(1);
  const audited = options.audited ?? new Set<string>();
  let waiting: Waiting[] = [];
  let failure: { error: unknown } | undefined;

  const settle = (entry: Entry, outcome: StoredFile | Refusal | undefined, size = 0) => {
    entry.outcome = outcome;
    if (!outcome) return;
    if (isRefusal(outcome)) archive.metrics.didNotTake(failureName(outcome.failureReason));
    else archive.metrics.tookIn(size, outcome.isNew);
  };

  const decide = async () => {
    const batch = waiting.toSorted((one, other) => one.entry.position - other.entry.position);
    waiting = [];
    if (batch.length === 0) return;
    const candidates = batch.map(({ candidate }) => candidate);
    const onlyStudy = options.studyInstanceUID?.();
    const outcomes = await inTurn(() =>
      writeBatch(archive, session, candidates, { onlyStudy, audited, way: options.way }),
    ).catch((error: unknown) => {
      if (isDiskFull(error)) return candidates.map(refuseForSpace);
      throw error;
    });
    for (const [index, { entry, candidate }] of batch.entries()) settle(entry, outcomes[index], candidate.blob.size);
  };

  const pass = async (entry: Entry, name: string, blob: Incoming): Promise<Candidate | undefined> => {
    const refusalOf = (error: unknown) => refusalOfFailure(name, error, options);
    const outcome = await ingest(name, blob, refusalOf, { tenantId: session.tenantId, scanner: archive.config.scanner })
      .then((ingested) => (isRefusal(ingested) ? ingested : unlessOther(ingested, options)))
      .catch(refusalOf);
    if (isRefusal(outcome)) {
      settle(entry, outcome);
      return undefined;
    }
    waiting.push({ entry, candidate: outcome });
    return outcome;
  };

  const process = async (passing: Promise<Candidate | undefined>) => {
    const candidate = await passing;
    if (waiting.length >= filesPerBatch) await decide();
    await candidate?.safe;
  };

  /** Nobody waits for this work yet; should it fail, the next file hears of it. */
  const start = (work: Promise<unknown>, among: Set<Promise<unknown>>) => {
    const settled = work
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => among.delete(settled));
    among.add(settled);
  };

  const throwFailure = () => {
    if (failure) throw failure.error;
  };

  return {
    take: async ({ name, body }: UploadedFile): Promise<void> => {
      const entry: Entry = { position: entries.length };
      entries.push(entry);
      const received = await receive(archive, session, name, body);
      if (isRefusal(received)) settle(entry, received);
      else {
        const passing = pass(entry, name, received);
        start(passing, atTheGate);
        start(process(passing), inFlight);
      }
      while (inFlight.size >= shareOfUpload()) await Promise.race(inFlight);
      throwFailure();
    },
    finish: async (): Promise<StoreResult> => {
      // What has passed the gate is decided about while its bytes are still put on disk.
      await Promise.all(atTheGate);
      throwFailure();
      await decide();
      await Promise.all(inFlight);
      throwFailure();
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

/** A file that is not taken is read all the same, up to the beginning of the next one. */
const receive = async (
  archive: Archive,
  { tenantId }: Session,
  name: string,
  body: AsyncIterable<Buffer>,
): Promise<Incoming | Refusal> => {
  const { maxInstanceBytes } = archive.config;
  try {
    if (await isNearlyFull(archive)) return refusalForSpace(name);
    return await archive.blobs.receive(body, maxInstanceBytes, tenantId);
  } catch (error) {
    if (isDiskFull(error)) return refusalForSpace(name);
    if (!(error instanceof TooLarge)) throw error;
    const reason = `The file is larger than ${Math.floor(maxInstanceBytes / 2 ** 20)} MB, the most taken here.`;
    return { name, reason, failureReason: failureReasons.outOfResources };
  }
};

const unlessOther = async (candidate: Candidate, { announced }: StoreOptions): Promise<Candidate | Refusal> => {
  const { sopClassUID, sopInstanceUID, blob } = candidate;
  const isAnnounced = announced?.sopClassUID === sopClassUID && announced.sopInstanceUID === sopInstanceUID;
  if (!announced || isAnnounced) return candidate;
  await blob.discard();
  return refuse(candidate, 'The file is another object than the sender says.', failureReasons.doesNotMatch);
};

/**
 * A file that fails for a reason nobody thought of fails alone, and the reason is ours to find. A disk that does not
 * do as it is told is no matter of one file: nobody knows what it still keeps, so the upload fails.
 */
export const refusalOfFailure = (name: string, error: unknown, { onError }: StoreOptions): Refusal => {
  if (isDiskFull(error)) return refusalForSpace(name);
  if (error instanceof Error && 'code' in error && error.code === 'EIO') throw error;
  // What the scanner says of it is for whoever sent it.
  if (error instanceof NotScanned) return { name, reason: error.message, failureReason: failureReasons.outOfResources };
  // The machine was too busy: the sender keeps the file and sends it again.
  if (error instanceof Problem && error.status === 503) {
    return { name, reason: error.message, failureReason: failureReasons.outOfResources };
  }
  onError?.(error);
  return { name, reason: 'The server failed to process the file.', failureReason: failureReasons.processingFailure };
};
