import type { Elements } from '@radwork/dicom/part10';
import { writeFileStart } from '@radwork/dicom/part10';
import type { UploadedFile } from '#archive/store.ts';
import { RemoteError } from '#core/outgoing/remote-error.ts';
import type { Association, Context, Message } from './association.ts';
import { commandField, responseTo } from './command-set.ts';
import { isPending, newMessageId } from './find-scu.ts';
import { writeIdentifier } from './identifier.ts';
import { type Patience, startPatience } from './patience.ts';
import { TooLong } from './protocol-error.ts';
import { withFileStart } from './store-scp.ts';

const mediumPriority = 0;
/** Archives fetch from slow storage before they send. */
const answersWithin = 120_000;
/** Nothing that is wanted may be missing for longer, whatever else they answer meanwhile. */
const usualLull = 900_000;
const success = 0x0000;

export type Getting = {
  context: Context;
  /** For messages: which archive this is. */
  place: string;
  /** The instances that are still to come; what has been delivered is taken out. */
  wanted: Set<string>;
  /** Hears of each object that is sent. */
  onObject?: () => void;
  mostInstanceBytes: number;
  /** Milliseconds; other than the usual ones for tests. */
  longestLull?: number;
};

/**
 * Asks for objects over the association itself (C-GET, PS3.4 §C.4.3) and delivers those that are wanted as they
 * arrive. The next one is not taken before this one has been read, so that memory holds a piece of one at most.
 * Returns the status of a request of which the other side could not send all.
 */
export async function* getInstances(
  association: Association,
  request: Elements,
  getting: Getting,
): AsyncGenerator<UploadedFile, number | undefined> {
  const { context, place } = getting;
  const MessageID = newMessageId();
  await association.send(
    context,
    {
      CommandField: commandField.get,
      MessageID,
      AffectedSOPClassUID: context.abstractSyntax,
      Priority: mediumPriority,
    },
    writeIdentifier(request, context.transferSyntax),
  );
  const patience = startPatience(association, place, getting.longestLull ?? usualLull);
  try {
    for (;;) {
      const message = await association.receive(answersWithin);
      if (!message) throw new RemoteError('OTHER', `${place} ended the association before everything was sent.`);
      const { command, dataSet } = message;
      if (command.CommandField === commandField.store) {
        getting.onObject?.();
        yield* takeInstance(association, message, getting, patience);
        continue;
      }
      await dataSet?.drain(getting.mostInstanceBytes);
      if (isPending(command.Status)) continue;
      const { Status = success } = command;
      return Status === success ? undefined : Status;
    }
  } finally {
    patience.rest();
  }
}

const tooLarge = (place: string) =>
  `${place} sends an object that is larger than this server takes. The operator can allow more (setting MAX_INSTANCE_MB).`;

async function* takeInstance(
  association: Association,
  { context, command, dataSet }: Message,
  { place, wanted, mostInstanceBytes }: Getting,
  patience: Patience,
): AsyncGenerator<UploadedFile> {
  const { AffectedSOPClassUID, AffectedSOPInstanceUID = '', MessageID } = command;
  if (dataSet && wanted.has(AffectedSOPInstanceUID)) {
    const uids = { SOPClassUID: AffectedSOPClassUID, SOPInstanceUID: AffectedSOPInstanceUID };
    const start = writeFileStart(context.transferSyntax, uids);
    patience.rest();
    yield { name: AffectedSOPInstanceUID, body: withFileStart(start, patiently(dataSet, patience)) };
    patience.renew();
  }
  await dataSet?.drain(mostInstanceBytes).catch((error: unknown) => {
    throw error instanceof TooLong ? new RemoteError('OTHER', tooLarge(place)) : error;
  });
  if (dataSet) wanted.delete(AffectedSOPInstanceUID);
  await association.send(context, {
    CommandField: responseTo(commandField.store),
    ...(MessageID !== undefined && { MessageIDBeingRespondedTo: MessageID }),
    ...(AffectedSOPClassUID !== undefined && { AffectedSOPClassUID }),
    AffectedSOPInstanceUID,
    Status: 0,
  });
}

/** Whoever stores an object may take the time that this needs: only the other side is waited for with patience. */
async function* patiently(dataSet: AsyncIterable<Buffer>, patience: Patience): AsyncGenerator<Buffer> {
  patience.renew();
  try {
    for await (const piece of dataSet) {
      if (piece.length === 0) continue;
      patience.rest();
      yield piece;
      patience.renew();
    }
  } finally {
    patience.rest();
  }
}
