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
/** Milliseconds. Archives may send images for a long time before their next answer. */
const answersWithin = 600_000;
/** Milliseconds after which we stop if the archive's own counts show no progress. Some archives send no counts. */
const usualLull = 1_800_000;

/** Statuses of C-MOVE and C-GET that affect only single instances (PS3.4 Tables C.4-2, C.4-3). */
const status = { notEverything: 0xb000, noSuboperations: 0xa702 } as const;
export const isOfObjects = (code: number): boolean => code === status.notEverything || code === status.noSuboperations;
/** The destination is unknown, or the archive does not offer us the service. */
const saidOfAll: ReadonlySet<number> = new Set([0xa801, 0x0122, 0x0124, 0x0211]);

export type Moving = {
  context: Context;
  remoteName: string;
  /** Our AE title, as the destination. The archive must know the address of this title. */
  destination: string;
  /** Milliseconds. Only tests set this. */
  idleTimeoutMs?: number;
};

/**
 * Asks an archive to send instances to our gateway (C-MOVE, PS3.4 §C.4.2) and waits for the end. Returns the status if
 * the request sent nothing.
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
    patience.rest();
  }
};

/** Increases when more sub-operations are finished or when fewer remain. The archive may leave out either count. */
const progressIn = (command: CommandSet): number => {
  const { NumberOfCompletedSuboperations: completed = 0, NumberOfFailedSuboperations: failed = 0 } = command;
  const { NumberOfWarningSuboperations: warned = 0, NumberOfRemainingSuboperations: remaining = 0 } = command;
  return completed + failed + warned - remaining;
};

/** Number of consecutive requests that sent nothing, for a reason other than the instances. */
const mostFailuresInRow = 10;

/** Collects how the requests of a retrieval end. Some requests may send nothing while others send everything. */
export const gatherEnds = (place: string, destination: string) => {
  let first: number | undefined;
  let hasSent = false;
  let failuresInRow = 0;
  return {
    /** True when more requests make sense. */
    canContinue: (end: number | undefined): boolean => {
      hasSent ||= end === undefined;
      first ??= end;
      failuresInRow = end === undefined || end === status.notEverything ? 0 : failuresInRow + 1;
      return failuresInRow < mostFailuresInRow && !saidOfAll.has(end ?? 0);
    },

    /** Why something was not sent. Undefined when everything was sent. */
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
