import { NeedMoreBytes } from '@radwork/dicom/dicom-error';
import { defaultLimits, startReading } from '@radwork/dicom/element-reader';
import { readFileMeta } from '@radwork/dicom/file-meta';
import type { Plain } from '@radwork/dicom/plain-data-set';
import { explicitLittleEndian, implicitLittleEndian } from '@radwork/dicom/transfer-syntax';
import { transcode } from '#archive/transcode.ts';
import type { Wado } from '#archive/wado.ts';
import { StorageAway } from '#core/blob-store.ts';
import { Problem } from '#core/problem.ts';
import type { Session } from '#core/scope.ts';
import type { FoundInstance } from './archive-queries.ts';
import type { Association } from './association.ts';
import { commandField } from './command-set.ts';
import { newMessageId } from './find-scu.ts';
import { ConnectionLost, isEndOfAssociation } from './protocol-error.ts';

/** Who has asked for what is sent (PS3.7 §9.3.1.1), where it was asked for in another association. */
export type Origin = { aeTitle: string; messageId: number };

export type Sending = {
  association: Association;
  wado: Wado;
  session: Session;
  origin?: Origin;
  /** Hears of objects that are not sent because they cannot be read here. */
  onError: (error: unknown) => void;
  /** Hears that no more is wanted, should that be said in this association. */
  onCancel?: () => void;
};

/** How a sub-operation ends: with a warning the other side has the object all the same (PS3.4 Table B.2-1). */
export type Outcome = 'completed' | 'warning' | 'failed';

const mediumPriority = 0;
/** What any object is turned into that cannot be sent as it is stored; the one that says more comes first. */
const plainSyntaxes: readonly Plain[] = [explicitLittleEndian, implicitLittleEndian];
const answersWithin = 120_000;
const mostBytesOfAnswer = 1 << 20;
/** Read before an object is announced, which is all of most objects: nothing takes an announced one back. */
const readAhead = 1 << 20;

/**
 * An object could not be read to its end, and the other side has a part of it already: in this association nothing can
 * be said any more (PS3.7 §6.3.1).
 */
export class SentInPart extends ConnectionLost {}

/**
 * Sends an object as it is stored, or else in Explicit or Implicit VR Little Endian. One that cannot be read is not
 * begun. Throws SentInPart for a large one of which that is seen too late.
 */
export const sendObject = async (sending: Sending, found: FoundInstance): Promise<Outcome> => {
  const { association, origin } = sending;
  const offered = [...association.contexts.values()].filter((one) => one.abstractSyntax === found.sopClassUid);
  const contextIn = (uid: string) => offered.find(({ transferSyntax }) => transferSyntax === uid);
  const asStored = contextIn(found.transferSyntaxUid);
  const into = plainSyntaxes.find(({ uid }) => contextIn(uid));
  const context = asStored ?? (into && contextIn(into.uid));
  if (!context) return 'failed';
  const dataSet = await dataSetOf(sending, found, asStored ? undefined : into);
  if (!dataSet) return 'failed';
  const command = {
    CommandField: commandField.store,
    MessageID: newMessageId(),
    AffectedSOPClassUID: found.sopClassUid,
    AffectedSOPInstanceUID: found.instanceUid,
    Priority: mediumPriority,
    ...(origin && {
      MoveOriginatorApplicationEntityTitle: origin.aeTitle,
      MoveOriginatorMessageID: origin.messageId,
    }),
  };
  await association
    .send(context, command, dataSet.pieces)
    .catch((error: unknown) => {
      if (isEndOfAssociation(error)) throw error;
      sending.onError(error);
      throw new SentInPart('An object could not be read to its end');
    })
    .finally(dataSet.close);
  return outcomeOf(await answerTo(sending));
};

/** The data set of an object, of which the beginning has been read, or undefined where it cannot be had. */
const dataSetOf = async (
  sending: Sending,
  found: FoundInstance,
  into: Plain | undefined,
): Promise<Begun | undefined> => {
  try {
    const file = await fileOf(sending, found, into);
    return file && (await begun(withoutFileStart(file)));
  } catch (error) {
    sending.onError(error);
    // Of no object could anything else be said, and to find that out takes long for each.
    if (error instanceof StorageAway) throw error;
    return undefined;
  }
};

type Begun = { pieces: AsyncIterable<Buffer>; close: () => Promise<void> };

/** Reads ahead. What has been begun is to be closed: for somebody who has gone meanwhile nobody asks for its pieces. */
const begun = async (rest: AsyncGenerator<Buffer>): Promise<Begun> => {
  const ahead: Buffer[] = [];
  for (let length = 0; length < readAhead;) {
    const { done, value } = await rest.next();
    if (done) break;
    ahead.push(value);
    length += value.length;
  }
  return {
    pieces: (async function* whole() {
      yield* ahead;
      yield* rest;
    })(),
    close: async () => void (await rest.return(undefined)),
  };
};

const fileOf = async (
  { wado, session }: Sending,
  { studyUid, seriesUid, instanceUid }: FoundInstance,
  into: Plain | undefined,
): Promise<AsyncIterable<Buffer> | undefined> => {
  try {
    const study = await wado.objects.study(session, studyUid);
    const instance = await wado.objects.instance(session, study, seriesUid, instanceUid);
    if (!into) return wado.blobs.stream(session.tenantId, instance.sha256, { offset: 0, length: instance.size });
    return (await transcode(wado, session.tenantId, instance, into)).bytes();
  } catch (error) {
    // It was deleted meanwhile, or cannot be said in the syntax that both sides know.
    if (error instanceof Problem && error.status < 500) return undefined;
    throw error;
  }
};

const outcomeOf = (status: number): Outcome => {
  if (status === 0) return 'completed';
  return status >> 12 === 0xb ? 'warning' : 'failed';
};

const answerTo = async ({ association, onCancel }: Sending): Promise<number> => {
  for (;;) {
    const message = await association.receive(answersWithin);
    if (!message) throw new ConnectionLost('The association was ended before an object was answered for');
    await message.dataSet?.drain(mostBytesOfAnswer);
    if (message.command.CommandField !== commandField.cancel) return message.command.Status ?? 0x0110;
    onCancel?.();
  }
};

/** The data set of a file, as it stands behind the meta information. */
async function* withoutFileStart(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start = Buffer.alloc(0);
  let isPassed = false;
  for await (const piece of file) {
    if (isPassed) {
      yield piece;
      continue;
    }
    start = Buffer.concat([start, piece]);
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
