import { announceStudiesBatched } from '#core/live/announce.ts';
import type { Context } from '#core/context.ts';
import type { Scope, Session } from '#core/access/scope.ts';
import { isLimitedToOwnStudies } from '#core/access/study-access.ts';
import { requestLanguage } from '#core/http/request-language.ts';
import { lockStudies, writePlan } from '#imaging/archive/index/index-batch.ts';
import { noteRefusedArrivals, planWithReplacements } from '#imaging/archive/index/replace-deleted.ts';
import type { Acceptance, FileSource } from '#imaging/archive/index/plan-batch.ts';
import { lockForUpload } from '#imaging/archive/upkeep/storage-locks.ts';
import { removeUnused } from '#imaging/archive/upkeep/remove-unused.ts';
import { type Candidate, isRefusal, type Refusal } from './ingest-file.ts';
import { noteStoredStudies } from './stored-studies.ts';

/** A file that is stored durably. `isNew` is false if the same file was stored before. */
export type StoredFile = {
  name: string;
  studyId: string;
  studyInstanceUID: string;
  seriesInstanceUID: string;
  sopClassUID: string;
  sopInstanceUID: string;
  isNew: boolean;
};

export type Outcome = StoredFile | Refusal;

export type Archive = Pick<Context, 'blobs' | 'scopes'>;

export type Upload = {
  /** The study to which all files must belong, if the request names one. */
  onlyStudy: string | undefined;
  fileSource?: FileSource;
  /** Studies for which this upload has already written an audit entry. */
  audited: Set<string>;
};

/** Files of one upload that are stored together. */
export type Batch = {
  archive: Archive;
  session: Session;
  candidates: readonly Candidate[];
  upload: Upload;
  /** Sender of the batch, as `senderOf` returns it. */
  sender: string;
  /** Runs work in the context of the request, so that refusals are in its language. */
  inContext: <T>(work: () => T) => T;
};

/** For each file whose bytes could not be made durable, the reason. */
type Lost = ReadonlyMap<Candidate, Refusal>;

/** Some bytes of a batch could not be made durable. */
export class BytesLost extends Error {
  readonly lost: Lost;

  constructor(lost: Lost) {
    super();
    this.lost = lost;
  }
}

/**
 * Returns a text that is equal for two batches only when the same decisions apply to their files: the same caller with
 * the same rights and address, the same source, and the same language of refusals.
 */
export const senderOf = (session: Session, fileSource: FileSource): string =>
  JSON.stringify([{ ...session, isPoll: undefined }, fileSource, requestLanguage()]);

/**
 * Returns whether two batches may be stored in one transaction. Batches of different senders may, because each is
 * decided, marked and audited with its own session. The groups of new studies are set once for the transaction. Callers who
 * see only their own studies share no transaction with others.
 */
export const mayShareTransaction = (one: Batch, other: Batch): boolean => {
  if (one.archive.blobs !== other.archive.blobs) return false;
  if (one.sender === other.sender) return true;
  const isLimited = [one, other].some(({ session }) => isLimitedToOwnStudies(session) || session.studyGroups !== null);
  return !isLimited && newGroupsOf(one) === newGroupsOf(other);
};

/** Returns the tenant and what batches must have in common to share a transaction. Others do not wait for each other. */
export const laneOf = (batch: Batch): string => {
  const { session, sender } = batch;
  const isLimited = isLimitedToOwnStudies(session) || session.studyGroups !== null;
  return `${session.tenantId} ${isLimited ? sender : newGroupsOf(batch)}`;
};

const newGroupsOf = ({ session }: Batch) => (session.newStudyGroups ?? []).join();

/**
 * Stores batches of one tenant in one transaction: decides about each file, writes the rows while the bytes are moved into
 * the store, and commits. So every committed row has its bytes. Returns the outcomes of each batch. When it throws, some
 * bytes may be stored without rows. Throws BytesLost when bytes are lost that are not in `lost`.
 */
export const attemptBatches = async (
  batches: readonly [Batch, ...Batch[]],
  lost: Lost = new Map(),
): Promise<Outcome[][]> => {
  const [{ archive, session }] = batches;
  return archive.scopes.inWholeTenant(session, async (scope) => {
    const candidates = batches.flatMap((batch) => batch.candidates);
    const bySender = [...Map.groupBy(batches, ({ sender }) => sender).values()];
    // All studies are locked in one order, so that two servers cannot deadlock.
    if (bySender.length > 1) await Promise.all([lockForUpload(scope), lockStudies(scope, candidates)]);
    const outcomes = new Map<Batch, Outcome[]>();
    const blobsToKeep: Candidate['blob'][] = [];
    let rows = Promise.resolve();
    for (const ofSender of bySender) {
      // The plan of a sender must see the rows of the previous sender.
      await rows;
      const { plan, write } = await planOfSender(scope, ofSender, lost);
      // Also includes files that are in the store already, because their stored bytes may be lost.
      blobsToKeep.push(...plan.outcomes.flatMap((outcome) => (isRefusal(outcome) ? [] : outcome.candidate.blob)));
      const remaining = plan.outcomes.map((outcome) => (isRefusal(outcome) ? outcome : storedFile(outcome)));
      for (const batch of ofSender) outcomes.set(batch, remaining.splice(0, batch.candidates.length));
      rows = write();
    }
    const keep = async () => {
      await assertSafe(candidates, lost);
      await archive.blobs.keep(session.tenantId, blobsToKeep);
    };
    await bothDone(rows, keep());
    return batches.map((batch) => outcomes.get(batch) ?? []);
  });
};

/** Plans the files of one sender, with the rights of this sender only. `write` writes their rows. */
const planOfSender = async (groupScope: Scope, batches: readonly Batch[], lost: Lost) => {
  const [batch] = batches;
  if (!batch) throw new Error('A sender has at least one batch');
  const { archive, session, inContext } = batch;
  const { fileSource } = batch.upload;
  const scope = { ...groupScope, session };
  const candidates = batches.flatMap((own) => own.candidates);
  const uploads = batches.flatMap((own) => own.candidates.map(() => own.upload));
  const { plan, purged } = await inContext(() =>
    planWithReplacements(scope, candidates, {
      fileSource,
      onlyStudies: uploads.map(({ onlyStudy }) => onlyStudy),
      lost: candidates.map((candidate) => lost.get(candidate)),
    }),
  );
  scope.afterCommit(() => {
    // After an error, upkeep removes the bytes.
    if (purged.length > 0) void removeUnused(archive, session.tenantId, purged).catch(() => {});
    for (const [index, outcome] of plan.outcomes.entries()) {
      if (!isRefusal(outcome) && outcome.isNew) uploads[index]?.audited.add(outcome.studyId);
    }
    const changed = plan.additions.map(({ studyId }) => studyId);
    announceStudiesBatched(archive.scopes, session.tenantId, changed);
    noteStoredStudies(archive.scopes, session.tenantId, changed);
  });
  const write = async () => {
    await writePlan(scope, plan, { audited: uploads.map(({ audited }) => audited), fileSource });
    await noteRefusedArrivals(scope, plan);
  };
  return { plan, write };
};

/** Waits until the bytes are durable, while rows are written. */
const assertSafe = async (candidates: readonly Candidate[], known: Lost) => {
  const refusals = await Promise.all(candidates.map(({ durable }) => durable));
  const lost = new Map(
    candidates.flatMap((candidate, index) => {
      const refusal = refusals[index];
      return refusal ? [[candidate, refusal]] : [];
    }),
  );
  if ([...lost.keys()].some((candidate) => !known.has(candidate))) throw new BytesLost(lost);
};

/** Waits until both rows and bytes are finished, because the cleanup must undo both. Fails when one of them fails. */
const bothDone = async (rows: Promise<void>, bytes: Promise<void>) => {
  await Promise.allSettled([rows, bytes]);
  // If both fail, the error of the store is thrown, not that of the rows.
  await bytes;
  await rows;
};

const storedFile = ({ candidate, studyId, isNew }: Acceptance): StoredFile => ({
  name: candidate.name,
  studyId,
  studyInstanceUID: candidate.studyInstanceUID,
  seriesInstanceUID: candidate.seriesInstanceUID,
  sopClassUID: candidate.sopClassUID,
  sopInstanceUID: candidate.sopInstanceUID,
  isNew,
});
