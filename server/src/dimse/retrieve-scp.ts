import type { Association, Message } from './association.ts';
import type { FoundInstance } from './archive-queries.ts';
import { responseTo } from './command-set.ts';
import { writeIdentifier } from './identifier.ts';

/** Statuses of C-GET and C-MOVE (PS3.4 Tables C.4-2, C.4-3). */
export const retrieveStatus = {
  success: 0x0000,
  pending: 0xff00,
  cancelled: 0xfe00,
  notEverything: 0xb000,
  nothingSent: 0xa702,
  destinationUnknown: 0xa801,
  doesNotMatch: 0xa900,
  unableToProcess: 0xc000,
  notAuthorized: 0x0124,
} as const;

/** Answers a retrieval with a status alone. */
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
    failed.length > 0 ? writeIdentifier({ FailedSOPInstanceUIDList: failed }, context.transferSyntax) : undefined,
  );

/** Lists beyond this are longer than an identifier may be; how many failed is said all the same. */
const mostFailedListed = 5000;

/**
 * Sends objects one after another, tells after each how far it is, and at the end how it went: what could not be sent
 * is listed. `isCancelled` is asked before each object.
 */
export const sendAll = async (
  association: Association,
  message: Message,
  objects: readonly FoundInstance[],
  { send, isCancelled }: { send: (object: FoundInstance) => Promise<boolean>; isCancelled: () => Promise<boolean> },
): Promise<void> => {
  const failed: string[] = [];
  let completed = 0;
  const counts = () => ({
    NumberOfCompletedSuboperations: completed,
    NumberOfFailedSuboperations: failed.length,
    NumberOfWarningSuboperations: 0,
  });
  const remaining = () => ({ NumberOfRemainingSuboperations: objects.length - completed - failed.length, ...counts() });
  for (const object of objects) {
    if (await isCancelled()) {
      return answerRetrieval(association, message, retrieveStatus.cancelled, remaining(), failed);
    }
    if (await send(object)) completed += 1;
    else failed.push(object.instanceUid);
    await answerRetrieval(association, message, retrieveStatus.pending, remaining());
  }
  const status = finalStatus(completed, failed.length);
  await answerRetrieval(association, message, status, counts(), failed.slice(0, mostFailedListed));
};

const finalStatus = (completed: number, failed: number): number => {
  if (failed === 0) return retrieveStatus.success;
  return completed > 0 ? retrieveStatus.notEverything : retrieveStatus.nothingSent;
};
