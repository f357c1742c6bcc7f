import type { Elements } from '@radwork/dicom/part10';
import { RemoteError } from '#core/outgoing/remote-error.ts';
import type { Association, Context } from './association.ts';
import { commandField, type CommandSet } from './command-set.ts';
import { isPending, newMessageId } from './find-scu.ts';
import { mostIdentifierBytes, writeIdentifier } from './identifier.ts';
import { startPatience } from './patience.ts';
import { statusInWords } from './remote-words.ts';

const mediumPriority = 0;
/** Archives that say nothing in between may be sending all the while. */
const answersWithin = 600_000;
/** For longer they may not answer without having got on by their own counts, which not every archive tells. */
const usualLull = 1_800_000;
const notEverything = 0xb000;

export type Moving = {
  context: Context;
  place: string;
  /** Our title: whom they are asked to send to. They have to know where that is. */
  destination: string;
  /** Milliseconds; other than the usual ones for tests. */
  longestLull?: number;
};

/**
 * Asks for objects to be sent to our own gateway (C-MOVE, PS3.4 §C.4.2), and waits until the other side has sent what
 * it can. Throws a RemoteError when it could send nothing at all.
 */
export const moveInstances = async (
  association: Association,
  request: Elements,
  { context, place, destination, longestLull = usualLull }: Moving,
): Promise<void> => {
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
  const patience = startPatience(association, place, longestLull);
  let furthest = -Infinity;
  try {
    for (;;) {
      const message = await association.receive(answersWithin);
      if (!message) throw new RemoteError('OTHER', `${place} ended the association before everything was sent.`);
      const { command, dataSet } = message;
      await dataSet?.drain(mostIdentifierBytes);
      if (isPending(command.Status)) {
        const progress = progressIn(command);
        if (progress > furthest) patience.renew();
        furthest = Math.max(furthest, progress);
        continue;
      }
      const { Status = 0, NumberOfCompletedSuboperations: completed = 0 } = command;
      if (Status === 0 || (Status === notEverything && completed > 0)) return;
      if (Status === notEverything || Status === 0xa702) throw notSent(place, destination);
      throw statusInWords(place, Status);
    }
  } finally {
    patience.rest();
  }
};

/** How far they are: a number that grows with what is done and with what is left less. Either may not be told. */
const progressIn = (command: CommandSet): number => {
  const { NumberOfCompletedSuboperations: completed = 0, NumberOfFailedSuboperations: failed = 0 } = command;
  const { NumberOfWarningSuboperations: warned = 0, NumberOfRemainingSuboperations: remaining = 0 } = command;
  return completed + failed + warned - remaining;
};

const notSent = (place: string, destination: string) =>
  new RemoteError(
    'OTHER',
    `${place} could send nothing to ${destination}. Let it in as a device that may store, and check the address and port it knows for us.`,
  );
