import { NeedMoreBytes } from '@radwork/dicom/dicom-error';
import { defaultLimits, startReading } from '@radwork/dicom/reading';
import { readFileMeta } from '@radwork/dicom/file-meta';
import type { UncompressedSyntax } from '@radwork/dicom/uncompressed-data-set';
import { explicitLittleEndian, implicitLittleEndian } from '@radwork/dicom/transfer-syntax';
import { transcode } from '#imaging/archive/retrieve/transcode.ts';
import type { Wado } from '#imaging/archive/dicomweb/wado-context.ts';
import { StorageUnavailable } from '#core/blobs/blob-store.ts';
import { Problem } from '#core/http/problem.ts';
import type { Session } from '#core/access/scope.ts';
import type { FoundInstance } from './archive-queries.ts';
import type { Association } from './association.ts';
import { commandField } from './command-set.ts';
import { newMessageId } from './find-scu.ts';
import { ConnectionLost, isEndOfAssociation } from './protocol-error.ts';

/** The device that requested the images by C-MOVE (PS3.7 §9.3.1.1). */
export type Origin = { aeTitle: string; messageId: number };

export type SendContext = {
  association: Association;
  wado: Wado;
  session: Session;
  origin?: Origin;
  /** Called for instances whose bytes cannot be read. */
  onError: (error: unknown) => void;
  /** Called when a C-CANCEL arrives in this association instead of the answer for an instance. */
  onCancel?: () => void;
};

/** The result of a sub-operation. A warning means that the other side has stored the instance (PS3.4 Table B.2-1). */
export type Outcome = 'completed' | 'warning' | 'failed';

const mediumPriority = 0;
/**
 * Transfer syntaxes for instances that cannot be sent as stored. Explicit VR comes first, because it also contains the
 * type of each value.
 */
const plainSyntaxes: readonly UncompressedSyntax[] = [explicitLittleEndian, implicitLittleEndian];
const answersWithin = 120_000;
const mostBytesOfAnswer = 1 << 20;
/**
 * Bytes that are read before an instance is announced, because an announced instance cannot be withdrawn. Most
 * instances are smaller.
 */
const readAhead = 1 << 20;

/**
 * An instance failed in the middle, and the other side has already received a part. The association cannot be used for
 * more (PS3.7 §6.3.1).
 */
export class SentInPart extends ConnectionLost {}

/**
 * Sends an instance as stored, or else in Explicit or Implicit VR Little Endian. Returns 'failed' for an instance that
 * cannot be read, without sending a part of it. Throws SentInPart when reading a large instance fails later.
 */
export const sendObject = async (sending: SendContext, instance: FoundInstance): Promise<Outcome> => {
  const { association, origin } = sending;
  const offered = [...association.contexts.values()].filter((one) => one.abstractSyntax === instance.sopClassUid);
  const contextIn = (uid: string) => offered.find(({ transferSyntax }) => transferSyntax === uid);
  const asStored = contextIn(instance.transferSyntaxUid);
  const into = plainSyntaxes.find(({ uid }) => contextIn(uid));
  const context = asStored ?? (into && contextIn(into.uid));
  if (!context) return 'failed';
  const dataSet = await dataSetOf(sending, instance, asStored ? undefined : into);
  if (!dataSet) return 'failed';
  const command = {
    CommandField: commandField.store,
    MessageID: newMessageId(),
    AffectedSOPClassUID: instance.sopClassUid,
    AffectedSOPInstanceUID: instance.instanceUid,
    Priority: mediumPriority,
    ...(origin && {
      MoveOriginatorApplicationEntityTitle: origin.aeTitle,
      MoveOriginatorMessageID: origin.messageId,
    }),
  };
  await association
    .send(context, command, dataSet.chunks)
    .catch((error: unknown) => {
      if (isEndOfAssociation(error)) throw error;
      sending.onError(error);
      throw new SentInPart('The end of an instance could not be read');
    })
    .finally(dataSet.close);
  return outcomeOf(await answerTo(sending));
};

/** Returns the data set of an instance, with its beginning already read. Undefined when it cannot be read. */
const dataSetOf = async (
  sending: SendContext,
  instance: FoundInstance,
  into: UncompressedSyntax | undefined,
): Promise<StartedFile | undefined> => {
  try {
    const file = await fileOf(sending, instance, into);
    return file && (await beginFile(withoutFileStart(file)));
  } catch (error) {
    sending.onError(error);
    // If the store is unavailable, all other instances would fail too, each after a long wait.
    if (error instanceof StorageUnavailable) throw error;
    return undefined;
  }
};

type StartedFile = { chunks: AsyncIterable<Buffer>; close: () => Promise<void> };

/**
 * Reads the beginning in advance. The caller must close the result, because a receiver that disconnects does not end
 * the reading.
 */
const beginFile = async (remaining: AsyncGenerator<Buffer>): Promise<StartedFile> => {
  const buffered: Buffer[] = [];
  for (let length = 0; length < readAhead;) {
    const { done, value } = await remaining.next();
    if (done) break;
    buffered.push(value);
    length += value.length;
  }
  return {
    chunks: (async function* allChunks() {
      yield* buffered;
      yield* remaining;
    })(),
    close: async () => void (await remaining.return(undefined)),
  };
};

const fileOf = async (
  { wado, session }: SendContext,
  { studyUid, seriesUid, instanceUid }: FoundInstance,
  into: UncompressedSyntax | undefined,
): Promise<AsyncIterable<Buffer> | undefined> => {
  try {
    const study = await wado.objects.study(session, studyUid);
    const instance = await wado.objects.instance(session, study, seriesUid, instanceUid);
    if (!into) return wado.blobs.stream(session.tenantId, instance.sha256, { offset: 0, length: instance.size });
    return (await transcode(wado, session.tenantId, instance, into)).bytes();
  } catch (error) {
    // The instance was deleted during the retrieval, or cannot be converted to a common transfer syntax.
    if (error instanceof Problem && error.status < 500) return undefined;
    throw error;
  }
};

const outcomeOf = (status: number): Outcome => {
  if (status === 0) return 'completed';
  return status >> 12 === 0xb ? 'warning' : 'failed';
};

const answerTo = async ({ association, onCancel }: SendContext): Promise<number> => {
  for (;;) {
    const message = await association.receive(answersWithin);
    if (!message) throw new ConnectionLost('The association ended before the answer for an instance');
    await message.dataSet?.drain(mostBytesOfAnswer);
    if (message.command.CommandField !== commandField.cancel) return message.command.Status ?? 0x0110;
    onCancel?.();
  }
};

/** The data set of a file, without its meta information. */
async function* withoutFileStart(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start = Buffer.alloc(0);
  let isPassed = false;
  for await (const chunk of file) {
    if (isPassed) {
      yield chunk;
      continue;
    }
    start = Buffer.concat([start, chunk]);
    const position = dataSetIn(start);
    if (position === undefined) continue;
    isPassed = true;
    yield start.subarray(position);
  }
  if (!isPassed) yield start.subarray(dataSetIn(start, start.length) ?? 0);
}

const dataSetIn = (start: Buffer, size = Number.MAX_SAFE_INTEGER): number | undefined => {
  const reading = startReading(start, size, defaultLimits);
  try {
    readFileMeta(reading);
    return reading.position;
  } catch (error) {
    if (error instanceof NeedMoreBytes) return undefined;
    throw error;
  }
};
