import { type DicomJson, textOf } from '@radwork/dicom/dataset';
import type { Elements } from '@radwork/dicom/part10';
import { Problem } from '#core/http/problem.ts';
import { type Association, type Message, readWhole } from './association.ts';
import { commandField, responseTo } from './command-set.ts';
import { BadIdentifier, mostIdentifierBytes, readIdentifier, writeIdentifier } from './identifier.ts';
import { BadQuery } from './requested-keys.ts';
import { isEndOfAssociation } from './protocol-error.ts';

const status = {
  success: 0x0000,
  pending: 0xff00,
  pendingBeyondKeys: 0xff01,
  cancelled: 0xfe00,
  outOfResources: 0xa700,
  doesNotMatch: 0xa900,
  unableToProcess: 0xc000,
} as const;

/** Finds at most `most` matches. Throws BadQuery for an invalid query. */
export type Find = (identifier: DicomJson, most: number) => Promise<Elements[]>;

/**
 * How to search, and the limits. At most `most` matches are sent. If there are more, the final answer says so.
 * `ignoresKeys` returns whether a key with a value was not used for matching.
 */
export type Finding = {
  find: Find;
  ignoresKeys: (identifier: DicomJson) => boolean;
  most: number;
  onError: (error: unknown) => void;
};

/**
 * Answers a C-FIND (PS3.4 §C.4.1): one answer for each match, then the final status. During this time, the other side
 * may send only a C-CANCEL.
 */
export const answerFind = async (
  association: Association,
  { context, command, dataSet }: Message,
  { find, ignoresKeys, most, onError }: Finding,
): Promise<void> => {
  const answer = (Status: number, more: { ErrorComment?: string } = {}, identifier?: Buffer) =>
    association.send(
      context,
      {
        CommandField: responseTo(commandField.find),
        AffectedSOPClassUID: context.abstractSyntax,
        ...(command.MessageID !== undefined && { MessageIDBeingRespondedTo: command.MessageID }),
        Status,
        ...more,
      },
      identifier,
    );
  try {
    const bytes = dataSet ? await readWhole(dataSet, mostIdentifierBytes) : Buffer.alloc(0);
    const identifier = readIdentifier(bytes, context.transferSyntax);
    const understood = textOf(identifier, 'SpecificCharacterSet');
    const matches = await find(identifier, most + 1);
    const pending = ignoresKeys(identifier) ? status.pendingBeyondKeys : status.pending;
    for (const match of matches.slice(0, most)) {
      if (await association.isCancelled(command.MessageID)) return await answer(status.cancelled);
      await answer(pending, {}, writeIdentifier(match, context.transferSyntax, understood));
    }
    if (matches.length <= most) return await answer(status.success);
    await answer(status.outOfResources, { ErrorComment: `More than ${most} matches. Narrow the query.` });
  } catch (error) {
    if (isEndOfAssociation(error)) throw error;
    if (isTooBroad(error)) return answer(status.outOfResources, { ErrorComment: tooBroad });
    if (isTooMany(error)) return answer(status.outOfResources, { ErrorComment: error.message });
    if (isOfTheQuery(error)) return answer(status.doesNotMatch, { ErrorComment: error.message });
    onError(error);
    await answer(status.unableToProcess, { ErrorComment: 'The query failed. Try again later.' });
  }
};

/** At most 64 characters fit into an Error Comment (PS3.7 §C.4). */
const tooBroad = 'The search took too long. Narrow the query.';

/** Whether the search took too long. The identifier is still valid. */
const isTooBroad = (error: unknown): boolean => error instanceof Problem && error.status === 413;

/** Whether the device or its tenant has too many waiting searches. The identifier is still valid. */
const isTooMany = (error: unknown): error is Problem => error instanceof Problem && error.status === 429;

/** Whether the query caused this error. The message of such an error may be sent to the device. */
const isOfTheQuery = (error: unknown): error is Error =>
  error instanceof BadIdentifier || error instanceof BadQuery || (error instanceof Problem && error.status < 500);
