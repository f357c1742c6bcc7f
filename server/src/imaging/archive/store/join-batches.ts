import type { Scopes } from '#core/access/scope.ts';
import { createJoinedWork } from '#core/resources/joined-work.ts';
import { createTenantShares } from '#core/resources/tenant-shares.ts';
import {
  attemptBatches,
  type Batch,
  type BytesLost,
  laneOf,
  mayShareTransaction,
  type Outcome,
} from './attempt-batches.ts';
import type { Candidate } from './ingest-file.ts';

/** Most files, and bytes, of a batch that joins others. Larger ones would delay the files of other senders. */
const joined = { files: 10, bytes: 16 << 20 };

/** Most files of one transaction that several batches share, as many as an upload stores together. */
const filesTogether = 50;

/**
 * Milliseconds after which a transaction no longer delays the next group of its tenant. It may wait for the lock of a
 * study, for example while patients are merged.
 */
const slowAfter = 250;

/**
 * Number of parallel transactions of all tenants, and of one tenant. The limits leave database connections for other
 * work, and always a transaction for another tenant.
 */
const inTurn = createTenantShares({ most: 5, share: 4, queue: Infinity });
const never = () => new Error('The queue of uploads has no end');

const attemptInTurn = <T>(tenantId: number, attempt: () => Promise<T>): Promise<T> => inTurn(tenantId, attempt, never);

export const isJoined = ({ candidates }: Batch): boolean =>
  candidates.length <= joined.files && candidates.reduce((sum, { blob }) => sum + blob.size, 0) <= joined.bytes;

/** Stores a batch in a transaction of its own. */
export const attemptAlone = async (batch: Batch, lost?: BytesLost['lost']): Promise<Outcome[]> => {
  const [outcomes = []] = await attemptInTurn(batch.session.tenantId, () => attemptBatches([batch], lost));
  return outcomes;
};

const createQueue = () =>
  createJoinedWork<string, Batch, Outcome[]>({
    run: attemptBatches,
    inTurn: (lane, work) => attemptInTurn(Number.parseInt(lane, 10), work),
    fits: (batch, group) =>
      group.every((other) => mayShareTransaction(batch, other)) &&
      group.reduce((sum, { candidates }) => sum + candidates.length, batch.candidates.length) <= filesTogether &&
      !group.some((other) => competeForOrder(batch, other)),
    // A batch waits for a running transaction that has locked one of its studies.
    waitsFor: (batch, running) => {
      const locked = new Set(running.candidates.map(({ studyInstanceUID }) => studyInstanceUID));
      return batch.candidates.some(({ studyInstanceUID }) => locked.has(studyInstanceUID));
    },
    slowAfter,
  });

/**
 * Whether two batches must not share a transaction, because their new studies compete for an order. If one batch has
 * two new studies with the same accession number, or one study with two numbers, nothing joins the order
 * (join-orders.ts). In separate transactions, the first of them joins it.
 */
const competeForOrder = (one: Batch, other: Batch): boolean =>
  one.sender === other.sender &&
  one.candidates.some((candidate) => other.candidates.some((rival) => isRival(candidate, rival)));

const isRival = (one: Candidate, other: Candidate): boolean => {
  const numbers = [one, other].map(({ described }) => described.study.accession_number);
  if (numbers.includes('')) return false;
  return (numbers[0] === numbers[1]) !== (one.studyInstanceUID === other.studyInstanceUID);
};

/** One queue for each database. */
const queues = new WeakMap<Scopes, ReturnType<typeof createQueue>>();

/**
 * Stores a batch at once if no other small batch that it may join is being stored. Otherwise waits, and stores it together with
 * the others that wait. Throws GroupFailed when a transaction of several batches failed.
 */
export const attemptJoined = (batch: Batch): Promise<Outcome[]> => {
  const { scopes } = batch.archive;
  const queue = queues.get(scopes) ?? createQueue();
  queues.set(scopes, queue);
  return queue(laneOf(batch), batch);
};
