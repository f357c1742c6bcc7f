import { StorageUnavailable } from '#core/blobs/blob-store.ts';
import { RemoteError } from '#core/outgoing/remote-error.ts';
import type { Association, Message } from './association.ts';
import type { FoundInstance } from './archive-queries.ts';
import { responseTo } from './command-set.ts';
import { writeIdentifier } from './identifier.ts';
import type { Outcome } from './send-instances.ts';

/** Statuses of C-GET and C-MOVE (PS3.4 Tables C.4-2, C.4-3). */
export const retrieveStatus = {
  success: 0x0000,
  pending: 0xff00,
  cancelled: 0xfe00,
  notEverything: 0xb000,
  tooMany: 0xa701,
  nothingSent: 0xa702,
  destinationUnknown: 0xa801,
  doesNotMatch: 0xa900,
  unableToProcess: 0xc000,
  notAuthorized: 0x0124,
} as const;

/** Answers a retrieval with a status and the UIDs of failed instances. */
export const answerRetrieval = (
  association: Association,
  { context, command }: Message,
  Status: number,
  more: object = {},
  failed: readonly string[] = [],
): Promise<void> =>
  association.send(
    context,
    {
      CommandField: responseTo(command.CommandField),
      AffectedSOPClassUID: context.abstractSyntax,
      ...(command.MessageID !== undefined && { MessageIDBeingRespondedTo: command.MessageID }),
      Status,
      ...more,
    },
    failed.length > 0
      ? writeIdentifier({ FailedSOPInstanceUIDList: listable(failed) }, context.transferSyntax)
      : undefined,
  );

/**
 * Greatest length of a list of UIDs in bytes. In Explicit VR, the length is written in 16 bits and must be even (PS3.5
 * §7.1.2).
 */
const mostListBytes = 0xfffe;

/**
 * Returns as many UIDs as fit into the list, each with a separator of one byte. The count of failed instances also
 * includes those that do not fit.
 */
const listable = (uids: readonly string[]): readonly string[] => {
  let length = -1;
  const beyond = uids.findIndex((uid) => {
    length += 1 + uid.length;
    return length > mostListBytes;
  });
  return beyond === -1 ? uids : uids.slice(0, beyond);
};

/** Sub-operations are counted in 16 bits (PS3.7 Table E.1-1). Larger counts are reported as the greatest value. */
const countable = (count: number): number => Math.min(count, 0xffff);

/**
 * Sends instances one by one, reports progress after each, and lists the failed instances at the end. Calls
 * `isCancelled` before each instance. After a RemoteError, or when the store cannot be reached, the remaining instances
 * count as failed, and the answer contains the reason.
 */
export const sendAll = async (
  association: Association,
  message: Message,
  objects: readonly FoundInstance[],
  { send, isCancelled }: { send: (object: FoundInstance) => Promise<Outcome>; isCancelled: () => Promise<boolean> },
): Promise<void> => {
  const failed: string[] = [];
  let completed = 0;
  let warnings = 0;
  const counts = () => ({
    NumberOfCompletedSuboperations: countable(completed),
    NumberOfFailedSuboperations: countable(failed.length),
    NumberOfWarningSuboperations: countable(warnings),
  });
  const remaining = () => ({
    NumberOfRemainingSuboperations: countable(objects.length - completed - warnings - failed.length),
    ...counts(),
  });
  const finish = (why = {}) => {
    const status = finalStatus({ completed, warnings, failed: failed.length });
    return answerRetrieval(association, message, status, { ...counts(), ...why }, failed);
  };
  for (const [index, object] of objects.entries()) {
    if (await isCancelled()) {
      return answerRetrieval(association, message, retrieveStatus.cancelled, remaining(), failed);
    }
    try {
      const outcome = await send(object);
      if (outcome === 'completed') completed += 1;
      else if (outcome === 'warning') warnings += 1;
      else failed.push(object.instanceUid);
    } catch (error) {
      if (!(error instanceof RemoteError || error instanceof StorageUnavailable)) throw error;
      for (const unsent of objects.slice(index)) failed.push(unsent.instanceUid);
      return finish({ ErrorComment: error.message });
    }
    await answerRetrieval(association, message, retrieveStatus.pending, remaining());
  }
  await finish();
};

const finalStatus = ({ completed, warnings, failed }: Record<'completed' | 'warnings' | 'failed', number>): number => {
  if (failed + warnings === 0) return retrieveStatus.success;
  return completed + warnings > 0 ? retrieveStatus.notEverything : retrieveStatus.nothingSent;
};
