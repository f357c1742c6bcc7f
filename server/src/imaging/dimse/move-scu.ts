import { t } from '@radwork/contract/core/translate';
import type { Elements } from '@radwork/dicom/part10';
import { RemoteError } from '#core/outgoing/remote-error.ts';
import type { Association, Context } from './association.ts';
import { commandField, type CommandSet } from './command-set.ts';
import { isPending, newMessageId } from './find-scu.ts';
import { mostIdentifierBytes, writeIdentifier } from './identifier.ts';
import { startAnswerTimeout } from './answer-timeout.ts';
import { statusError } from './remote-failure.ts';

const mediumPriority = 0;
/** Milliseconds to wait for the next answer. Archives may send images for a long time before they answer. */
const answersWithin = 600_000;
/**
 * Milliseconds without progress, by the archive's own counts, after which the retrieval stops. Long, because some
 * archives send no counts.
 */
const usualLull = 1_800_000;

/**
 * Statuses of C-MOVE and C-GET which say that single instances were not sent, not that the request was wrong (PS3.4
 * Tables C.4-2, C.4-3).
 */
const status = { notEverything: 0xb000, noSuboperations: 0xa702 } as const;
export const isOfObjects = (code: number): boolean => code === status.notEverything || code === status.noSuboperations;
/** Further requests would fail too, because the destination is unknown or the archive does not offer us the service. */
const saidOfAll: ReadonlySet<number> = new Set([0xa801, 0x0122, 0x0124, 0x0211]);

export type Moving = {
  context: Context;
  remoteName: string;
  /** Our AE title as the destination. The archive must know the address that belongs to this title. */
  destination: string;
  /** Replaces `usualLull`, in milliseconds. Only tests set this. */
  idleTimeoutMs?: number;
};

/**
 * Asks an archive to send instances to our gateway (C-MOVE, PS3.4 §C.4.2) and waits until it has finished. Returns
 * undefined if it sent all or some of the instances. Otherwise returns its status.
 */
export const moveInstances = async (
  association: Association,
  request: Elements,
  { context, remoteName, destination, idleTimeoutMs = usualLull }: Moving,
): Promise<number | undefined> => {
  await association.send(
    context,
    {
      CommandField: commandField.move,
      MessageID: newMessageId(),
      AffectedSOPClassUID: context.abstractSyntax,
      Priority: mediumPriority,
      MoveDestination: destination,
    },
    writeIdentifier(request, context.transferSyntax),
  );
  const patience = startAnswerTimeout(association, remoteName, idleTimeoutMs);
  let furthest = -Infinity;
  try {
    for (;;) {
      const message = await association.receive(answersWithin);
      if (!message) throw new RemoteError('OTHER', t`${remoteName} ended the association before it sent all images.`);
      const { command, dataSet } = message;
      await dataSet?.drain(mostIdentifierBytes);
      if (isPending(command.Status)) {
        const progress = progressIn(command);
        if (progress > furthest) patience.renew();
        furthest = Math.max(furthest, progress);
        continue;
      }
      const { Status = 0, NumberOfCompletedSuboperations: completed = 0 } = command;
      return Status === 0 || (Status === status.notEverything && completed > 0) ? undefined : Status;
    }
  } finally {
    patience.stop();
  }
};

/**
 * Returns a number that grows as sub-operations finish. The archive may leave out the finished counts or the remaining
 * count.
 */
const progressIn = (command: CommandSet): number => {
  const { NumberOfCompletedSuboperations: completed = 0, NumberOfFailedSuboperations: failed = 0 } = command;
  const { NumberOfWarningSuboperations: warned = 0, NumberOfRemainingSuboperations: remaining = 0 } = command;
  return completed + failed + warned - remaining;
};

/** Maximum number of consecutive requests that sent nothing. Requests that end with `notEverything` do not count. */
const mostFailuresInRow = 10;

/**
 * Collects how the requests of a retrieval end. Some requests may send nothing, while others send all their instances.
 */
export const gatherEnds = (place: string, destination: string) => {
  let first: number | undefined;
  let hasSent = false;
  let failuresInRow = 0;
  return {
    /** Records how a request ended. Returns whether further requests make sense. */
    canContinue: (end: number | undefined): boolean => {
      hasSent ||= end === undefined;
      first ??= end;
      failuresInRow = end === undefined || end === status.notEverything ? 0 : failuresInRow + 1;
      return failuresInRow < mostFailuresInRow && !saidOfAll.has(end ?? 0);
    },

    /** Returns why instances were not sent, or undefined if every request succeeded. */
    failure: (): RemoteError | undefined => {
      if (first === undefined) return undefined;
      if (!isOfObjects(first)) return statusError(place, first);
      return hasSent ? statusError(place, status.notEverything) : notSent(place, destination);
    },
  };
};

const notSent = (place: string, destination: string) =>
  new RemoteError(
    'OTHER',
    t`${place} could not send to ${destination}. Under DICOM devices, allow ${place} to send images. In the settings of ${place}, check the address and port of this server.`,
  );
