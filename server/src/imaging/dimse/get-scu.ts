import { t } from '@radwork/contract/core/translate';
import type { Elements } from '@radwork/dicom/part10';
import { writeFileStart } from '@radwork/dicom/part10';
import type { UploadedFile } from '#imaging/archive/store/store-instances.ts';
import { RemoteError } from '#core/outgoing/remote-error.ts';
import type { Association, Context, Message } from './association.ts';
import { commandField, responseTo } from './command-set.ts';
import { isPending, newMessageId } from './find-scu.ts';
import { writeIdentifier } from './identifier.ts';
import { type AnswerTimeout, startAnswerTimeout } from './answer-timeout.ts';
import { TooLong } from './protocol-error.ts';
import { withFileStart } from './store-scp.ts';

const mediumPriority = 0;
/** Milliseconds to wait for the next message. Archives may read from slow storage for a long time before they send. */
const answersWithin = 120_000;
/** Milliseconds without a wanted instance after which the retrieval stops, even if the archive sends other messages. */
const usualLull = 900_000;
const success = 0x0000;

export type Getting = {
  context: Context;
  /** The name of the archive in messages. */
  remoteName: string;
  /** SOP Instance UIDs of the instances that have not arrived yet. A UID is removed when its instance arrives. */
  requested: Set<string>;
  /** Called for each instance that the archive sends. */
  onObject?: () => void;
  mostInstanceBytes: number;
  /** Replaces `usualLull`, in milliseconds. Only tests set this. */
  idleTimeoutMs?: number;
};

/**
 * Retrieves instances over the same association (C-GET, PS3.4 §C.4.3) and yields the wanted instances as they arrive.
 * Each instance is read before the next is received, so memory contains at most one piece. Returns the status when the
 * archive could not send everything.
 */
export async function* getInstances(
  association: Association,
  request: Elements,
  getting: Getting,
): AsyncGenerator<UploadedFile, number | undefined> {
  const { context, remoteName } = getting;
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
  const patience = startAnswerTimeout(association, remoteName, getting.idleTimeoutMs ?? usualLull);
  try {
    for (;;) {
      const message = await association.receive(answersWithin);
      if (!message) throw new RemoteError('OTHER', t`${remoteName} ended the association before it sent all images.`);
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
    patience.stop();
  }
}

const tooLarge = (place: string) =>
  `${place} sends an instance larger than the limit of this server. The operator can raise MAX_INSTANCE_MB.`;

async function* takeInstance(
  association: Association,
  { context, command, dataSet }: Message,
  { remoteName, requested, mostInstanceBytes }: Getting,
  patience: AnswerTimeout,
): AsyncGenerator<UploadedFile> {
  const { AffectedSOPClassUID, AffectedSOPInstanceUID = '', MessageID } = command;
  if (dataSet && requested.has(AffectedSOPInstanceUID)) {
    const uids = { SOPClassUID: AffectedSOPClassUID, SOPInstanceUID: AffectedSOPInstanceUID };
    const start = writeFileStart(context.transferSyntax, uids);
    patience.stop();
    yield { name: AffectedSOPInstanceUID, body: withFileStart(start, patiently(dataSet, patience)) };
    patience.renew();
  }
  await dataSet?.drain(mostInstanceBytes).catch((error: unknown) => {
    throw error instanceof TooLong ? new RemoteError('OTHER', tooLarge(remoteName)) : error;
  });
  if (dataSet) requested.delete(AffectedSOPInstanceUID);
  await association.send(context, {
    CommandField: responseTo(commandField.store),
    ...(MessageID !== undefined && { MessageIDBeingRespondedTo: MessageID }),
    ...(AffectedSOPClassUID !== undefined && { AffectedSOPClassUID }),
    AffectedSOPInstanceUID,
    Status: 0,
  });
}

/** Yields the pieces of a data set. Only waiting for the archive counts as waiting, not storing a piece. */
async function* patiently(dataSet: AsyncIterable<Buffer>, patience: AnswerTimeout): AsyncGenerator<Buffer> {
  patience.renew();
  try {
    for await (const chunk of dataSet) {
      if (chunk.length === 0) continue;
      patience.stop();
      yield chunk;
      patience.renew();
    }
  } finally {
    patience.stop();
  }
}
