import { writeFileStart } from '@radwork/dicom/part10';
import { isUid } from '@radwork/dicom/uid';
import { failureReasons } from '#imaging/archive/store/failure-reasons.ts';
import { storeInstances, type UploadedFile } from '#imaging/archive/store/store-instances.ts';
import type { Context } from '#core/context.ts';
import type { Association, Message } from './association.ts';
import { commandField, type CommandSet, responseTo } from './command-set.ts';
import { type Device, sessionOf } from './devices.ts';
import { isEndOfAssociation } from './protocol-error.ts';

type Outcome = { status: number; comment?: string };

const success = 0x0000;
const notAuthorized = 0x0124;
const invalidInstance = 0x0117;

type Archive = Pick<Context, 'blobs' | 'scopes' | 'config' | 'metrics'>;

/** The state of storing in one association. */
export type StoreContext = {
  archive: Archive;
  device: Device;
  /** Studies that this association has already audited. */
  audited: Set<string>;
  onError: (error: unknown) => void;
};

/**
 * Answers a C-STORE (PS3.4 Annex B) only when the instance would survive a power cut. Stores the data set unchanged,
 * after a generated preamble and meta information.
 */
export const answerStore = async (association: Association, message: Message, storing: StoreContext): Promise<void> => {
  const { context, command, dataSet } = message;
  const { status, comment } = storing.device.mayStore
    ? await store(message, storing)
    : { status: notAuthorized, comment: 'This device may not store.' };
  await dataSet?.drain(storing.archive.config.maxInstanceBytes);
  await association.send(context, {
    CommandField: responseTo(commandField.store),
    ...answerTo(command),
    Status: status,
    ...(comment && { ErrorComment: comment }),
  });
};

const answerTo = ({ MessageID, AffectedSOPClassUID, AffectedSOPInstanceUID }: CommandSet) => ({
  ...(MessageID !== undefined && { MessageIDBeingRespondedTo: MessageID }),
  ...(AffectedSOPClassUID !== undefined && { AffectedSOPClassUID }),
  ...(AffectedSOPInstanceUID !== undefined && { AffectedSOPInstanceUID }),
});

const store = async (message: Message, { archive, device, audited, onError }: StoreContext): Promise<Outcome> => {
  const { context, command, dataSet } = message;
  const { AffectedSOPClassUID: sopClassUID = '', AffectedSOPInstanceUID: sopInstanceUID = '' } = command;
  if (!dataSet) return { status: failureReasons.cannotUnderstand, comment: 'The data set is missing.' };
  if (!isUid(sopInstanceUID)) return { status: invalidInstance, comment: 'The SOP Instance UID is not a UID.' };
  if (sopClassUID !== context.abstractSyntax) return doesNotMatch;
  try {
    const { stored, refused } = await storeInstances(archive, sessionOf(device), [fileOf(message)], {
      fileSource: { kind: 'DEVICE', id: device.id },
      announced: { sopClassUID, sopInstanceUID },
      audited,
      onError,
    });
    const [refusal] = refused;
    if (refusal) return { status: refusal.failureReason, comment: refusal.reason };
    return stored.length === 1 ? { status: success } : failed;
  } catch (error) {
    if (isEndOfAssociation(error)) throw error;
    onError(error);
    return failed;
  }
};

const failed: Outcome = {
  status: failureReasons.processingFailure,
  comment: 'The archive could not store the image. Send it again later.',
};
const doesNotMatch: Outcome = {
  status: failureReasons.doesNotMatch,
  comment: 'The SOP class does not match the presentation context.',
};

/**
 * The meta information contains no AE title. With an AE title, the same instance from another device would be a
 * different file and would be refused. The audit log names the sender.
 */
const fileOf = ({ context, command, dataSet }: Message): UploadedFile => ({
  name: '',
  body: withFileStart(
    writeFileStart(context.transferSyntax, {
      SOPClassUID: command.AffectedSOPClassUID,
      SOPInstanceUID: command.AffectedSOPInstanceUID,
    }),
    dataSet ?? [],
  ),
});

/** Puts the start of a file before its data set. */
export async function* withFileStart(
  start: Buffer,
  dataSet: AsyncIterable<Buffer> | Iterable<Buffer>,
): AsyncGenerator<Buffer> {
  yield start;
  yield* dataSet;
}
