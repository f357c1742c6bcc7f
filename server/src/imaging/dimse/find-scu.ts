import { t } from '@radwork/contract/core/translate';
import type { DicomJson } from '@radwork/dicom/dataset';
import type { Elements } from '@radwork/dicom/part10';
import { RemoteError } from '#core/outgoing/remote-error.ts';
import { type Association, type Context, readWhole } from './association.ts';
import { commandField } from './command-set.ts';
import { mostIdentifierBytes, readIdentifier, writeIdentifier } from './identifier.ts';
import { contextOf } from './open-association.ts';
import { startAnswerTimeout } from './answer-timeout.ts';
import { statusError } from './remote-failure.ts';
import { studyRoot } from './sop-classes.ts';

export type FindResult = { matches: DicomJson[]; hasMore: boolean };

const mediumPriority = 0;
const answersWithin = 60_000;
const canceledWithin = 5000;

/** Milliseconds: `total` for the whole query, `stopping` for answers after a C-CANCEL. */
type Limits = { total: number; stopping: number };
const usualLimits: Limits = { total: 1_800_000, stopping: 30_000 };

export const isPending = (status: number | undefined): boolean => status === 0xff00 || status === 0xff01;

let lastMessageId = 0;

/** Message IDs need to be unique only within an association. */
export const newMessageId = (): number => {
  lastMessageId = (lastMessageId % 0xffff) + 1;
  return lastMessageId;
};

/**
 * Sends a query (C-FIND, PS3.4 §C.4.1) and returns at most `most` matches. If there are more, cancels the query, and
 * the result says that there are more. Throws a RemoteError when the query fails.
 */
export const find = async (
  association: Association,
  place: string,
  keys: Elements,
  most: number,
  limits: Limits = usualLimits,
): Promise<FindResult> => {
  const context = contextOf(association, studyRoot.find);
  if (!context) throw new RemoteError('WRONG_SERVICE', t`${place} does not support queries (C-FIND, Study Root).`);
  const MessageID = newMessageId();
  await association.send(
    context,
    {
      CommandField: commandField.find,
      MessageID,
      AffectedSOPClassUID: context.abstractSyntax,
      Priority: mediumPriority,
    },
    writeIdentifier(keys, context.transferSyntax),
  );
  const matches: DicomJson[] = [];
  // Limits the time of the whole query. Otherwise an archive that sends only empty answers, or now and then a match,
  // could keep it open without end.
  const patience = startAnswerTimeout(association, place, limits.total);
  try {
    for (;;) {
      const { Status = 0, identifier } = await nextAnswer(association, context, answersWithin);
      if (!isPending(Status)) return ended(place, Status, matches);
      if (matches.length === most) break;
      if (identifier) matches.push(identifier);
    }
  } finally {
    patience.stop();
  }
  await cancel(association, context, MessageID, limits.stopping);
  return { matches, hasMore: true };
};

const ended = (place: string, status: number, matches: DicomJson[]): FindResult => {
  const isOutOfResources = status >> 8 === 0xa7;
  if (status === 0 || (isOutOfResources && matches.length > 0)) return { matches, hasMore: isOutOfResources };
  throw statusError(place, status);
};

const nextAnswer = async (association: Association, context: Context, milliseconds: number) => {
  const message = await association.receive(milliseconds);
  if (!message) throw new RemoteError('OTHER', t`The archive ended the association before it answered the query.`);
  const { command, dataSet } = message;
  const identifier = dataSet && readIdentifier(await readWhole(dataSet, mostIdentifierBytes), context.transferSyntax);
  return { ...command, identifier };
};

const cancel = async (
  association: Association,
  context: Context,
  messageId: number,
  milliseconds: number,
): Promise<void> => {
  await association.send(context, { CommandField: commandField.cancel, MessageIDBeingRespondedTo: messageId });
  for (const until = performance.now() + milliseconds; performance.now() < until;) {
    const { Status } = await nextAnswer(association, context, canceledWithin);
    if (!isPending(Status)) return;
  }
  association.abort();
};
