import { t } from '@radwork/contract/core/translate';
import { type IncomingBlob, TooLarge } from '#core/blobs/blob-store.ts';
import type { Context } from '#core/context.ts';
import { NotScanned } from '#core/uploads/malware-scan.ts';
import { Problem } from '#core/http/problem.ts';
import type { Session } from '#core/access/scope.ts';
import { createLimit } from '#core/resources/concurrency-limit.ts';
import { failureName, failureReasons } from './failure-reasons.ts';
import { type Candidate, ingestFile, isRefusal, type Refusal } from './ingest-file.ts';
import { refuse, type FileSource } from '#imaging/archive/index/plan-batch.ts';
import { isDiskFull, isNearlyFull, refusalForSpace } from './free-space.ts';
import type { StoredFile } from './attempt-batches.ts';
import { writeBatch } from './write-batch.ts';

export type UploadedFile = { name: string; body: AsyncIterable<Buffer> };

/** Outcome of an upload. Each list is in order of arrival. */
export type StoreResult = { stored: StoredFile[]; refused: Refusal[] };

export type StoreOptions = {
  /**
   * Returns the only study to which files may belong, or undefined if the request names none. It is called for each
   * batch, because a form may name the study after its first files.
   */
  studyInstanceUID?: () => string | undefined;
  /**
   * Receives the error that ended `files` early. The files received completely are then still stored, and the sender
   * may send the rest later. Without this function, an interrupted upload discards all files that are not stored yet.
   */
  onBreak?: (error: unknown) => void;
  /** UIDs that the sender announced. A file with other UIDs is refused. */
  announced?: Pick<Candidate, 'sopClassUID' | 'sopInstanceUID'>;
  /** Studies for which this upload already has an audit entry. Calls that share this set count as one upload. */
  audited?: Set<string>;
  /** Source of the files. The source may set the issuer of Patient IDs without an issuer. */
  fileSource?: FileSource;
  /** Receives internal errors. To the sender, such an error is a refusal of one file. */
  onError?: (error: unknown) => void;
};

type Archive = Pick<Context, 'blobs' | 'scopes' | 'config' | 'metrics'>;

/** Maximum number of files in progress of one upload. They are read, indexed and synced while the next files arrive. */
const filesInFlight = 8;
/** The same maximum for all uploads of the server together, because each file in progress holds memory. */
const filesInFlightTogether = 48;
/** Minimum for each upload, even if many run: one file is written while another is read. */
const leastInFlight = 2;
let uploads = 0;

const shareOfUpload = (): number =>
  Math.min(filesInFlight, Math.max(leastInFlight, Math.floor(filesInFlightTogether / uploads)));

/** Number of files that one transaction stores, so that they become visible together. */
export const filesPerBatch = 50;

/**
 * Stores files in the tenant of the session. Every file enters the archive through this function. When the returned
 * promise resolves, rows and bytes survive a power cut (docs/decisions/0013). A bad file does not affect other files,
 * and a refused file leaves nothing. When `files` throws, files that are not stored yet are discarded unless `onBreak`
 * is set.
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

/** One file of the upload: its position in order of arrival, and its outcome once it is decided. */
type Entry = { position: number; outcome?: StoredFile | Refusal | undefined };
type PendingEntry = { entry: Entry; candidate: Candidate };

const startUpload = (archive: Archive, session: Session, options: StoreOptions) => {
  const entries: Entry[] = [];
  const atTheGate = new Set<Promise<unknown>>();
  const inFlight = new Set<Promise<unknown>>();
  const inTurn = createLimit(1);
  const audited = options.audited ?? new Set<string>();
  let waiting: PendingEntry[] = [];
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
      writeBatch(archive, session, candidates, { onlyStudy, audited, fileSource: options.fileSource }),
    ).catch((error: unknown) => {
      if (isDiskFull(error)) return candidates.map(refuseForSpace);
      throw error;
    });
    for (const [index, { entry, candidate }] of batch.entries()) settle(entry, outcomes[index], candidate.blob.size);
  };

  const pass = async (entry: Entry, name: string, blob: IncomingBlob): Promise<Candidate | undefined> => {
    const refusalOf = (error: unknown) => refusalOfFailure(name, error, options);
    const outcome = await ingestFile(name, blob, refusalOf, {
      tenantId: session.tenantId,
      scanner: archive.config.scanner,
    })
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
    await candidate?.durable;
  };

  /** Starts work that no code awaits yet. If it fails, `take` for the next file, or `finish`, throws the error. */
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
      // Decides about the checked files without waiting until their bytes are durable.
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

/** A refused file is still read to its end, where the next file starts. */
const receive = async (
  archive: Archive,
  { tenantId }: Session,
  name: string,
  body: AsyncIterable<Buffer>,
): Promise<IncomingBlob | Refusal> => {
  const { maxInstanceBytes } = archive.config;
  try {
    if (await isNearlyFull(archive)) return refusalForSpace(name);
    return await archive.blobs.receive(body, maxInstanceBytes, tenantId);
  } catch (error) {
    if (isDiskFull(error)) return refusalForSpace(name);
    if (!(error instanceof TooLarge)) throw error;
    const megabytes = Math.floor(maxInstanceBytes / 2 ** 20);
    const reason = t`The file is larger than the limit of ${megabytes} MB.`;
    return { name, reason, failureReason: failureReasons.outOfResources };
  }
};

const unlessOther = async (candidate: Candidate, { announced }: StoreOptions): Promise<Candidate | Refusal> => {
  const { sopClassUID, sopInstanceUID, blob } = candidate;
  const isAnnounced = announced?.sopClassUID === sopClassUID && announced.sopInstanceUID === sopInstanceUID;
  if (!announced || isAnnounced) return candidate;
  await blob.discard();
  return refuse(candidate, t`The file is not the instance that the sender announced.`, failureReasons.doesNotMatch);
};

/**
 * Turns an unexpected error into the refusal of one file and reports it. After a disk error, any file may be damaged,
 * so the whole upload fails.
 */
export const refusalOfFailure = (name: string, error: unknown, { onError }: StoreOptions): Refusal => {
  if (isDiskFull(error)) return refusalForSpace(name);
  if (error instanceof Error && 'code' in error && error.code === 'EIO') throw error;
  // The sender should see why the file was not scanned.
  if (error instanceof NotScanned) return { name, reason: error.message, failureReason: failureReasons.outOfResources };
  // The machine was too busy. The sender can send the file again.
  if (error instanceof Problem && error.status === 503) {
    return { name, reason: error.message, failureReason: failureReasons.outOfResources };
  }
  onError?.(error);
  return { name, reason: t`The server could not process the file.`, failureReason: failureReasons.processingFailure };
};
