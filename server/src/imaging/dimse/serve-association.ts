import { t } from '@radwork/contract/core/translate';
import { audit } from '#core/audit/audit.ts';
import type { Wado } from '#imaging/archive/dicomweb/wado-context.ts';
import type { Context } from '#core/context.ts';
import type { AssociationLimits } from './association-limits.ts';
import { ignoresKeys } from './archive-queries.ts';
import { type Association, createAssociation, type Message } from './association.ts';
import { commandField, responseTo } from './command-set.ts';
import type { Connection } from './connection.ts';
import { repeatAtMostEvery, type Device, findDevice, readingSessionOf, touchDevice } from './devices.ts';
import { answerFind, type Find } from './find-scp.ts';
import { answerContexts, mostBytesHere } from './negotiation.ts';
import {
  type AssociateRequest,
  mostAssociateBytes,
  pduType,
  readAssociateRequest,
  writeAssociateAccept,
  writeReject,
  writeReleaseResponse,
} from './pdu.ts';
import { ProtocolError } from './protocol-error.ts';
import { BadQuery } from './requested-keys.ts';
import { answerGet, answerMove, archiveSearch } from './query-retrieve-scp.ts';
import { answerStore } from './store-scp.ts';
import { modalityWorklistFind, studyRoot } from './sop-classes.ts';
import { findWorklistItems, ignoresWorklistKeys } from './worklist.ts';

/**
 * Writes AE titles, addresses and our own errors to the log, but no part of a data set. For an error under `err`, the
 * logger decides what to write.
 */
export type Log = Record<'warn' | 'error', (facts: object, text: string) => void>;

/** The parts of the context that are needed to serve devices. `wado` finds and reads the images to send. */
export type DimseContext = Pick<Context, 'blobs' | 'scopes' | 'config' | 'outgoing' | 'metrics'> & { wado: Wado };

export type ServerState = { limits: AssociationLimits; log: Log; stopping: AbortSignal };

/** Milliseconds for the whole association request (the ARTIM timer of PS3.8 §9.1.4). */
const requestedWithin = 10_000;
/** Milliseconds to wait for the next message. Scanners keep an association open while they scan. */
const idleFor = 300_000;

type RejectionReason = 'UNKNOWN_CALLED' | 'UNKNOWN_CALLING' | 'NO_ROOM';

/** Reasons to reject an association (PS3.8 Table 9-21). */
const rejections: Record<RejectionReason, readonly [result: number, source: number, reason: number]> = {
  UNKNOWN_CALLED: [1, 1, 7],
  UNKNOWN_CALLING: [1, 1, 3],
  NO_ROOM: [2, 3, 2],
};

/** Serves one association from its request to its end. Throws when the association breaks off. */
export const serveAssociation = async (
  context: DimseContext,
  connection: Connection,
  surroundings: ServerState,
): Promise<void> => {
  const { type, body } = await connection.readWithin(mostAssociateBytes, requestedWithin);
  if (type !== pduType.associateRequest) throw new ProtocolError('The first message is not an association request');
  const request = readAssociateRequest(body);
  const device = await findDevice(context, { ...request, address: connection.address });
  if (typeof device === 'string') return reject(connection, request, device, surroundings);
  const leave = surroundings.limits.association(device.tenantId);
  if (!leave) return reject(connection, request, 'NO_ROOM', surroundings);
  try {
    await serveDevice(context, connection, request, device, surroundings);
  } finally {
    leave();
  }
};

const reject = (
  connection: Connection,
  { calledAeTitle, callingAeTitle }: AssociateRequest,
  why: RejectionReason,
  { limits, log }: ServerState,
): void => {
  const { address } = connection;
  if (why !== 'NO_ROOM') limits.refused(address);
  log.warn({ calledAeTitle, callingAeTitle, address, why }, 'DIMSE association rejected');
  connection.end(writeReject(...rejections[why]));
};

const serveDevice = async (
  context: DimseContext,
  connection: Connection,
  request: AssociateRequest,
  device: Device,
  { log, stopping }: ServerState,
): Promise<void> => {
  await touchDevice(context, device);
  const { accept, agreed, sentTo } = answerContexts(request, device);
  await connection.write(writeAssociateAccept(accept));
  const terms = { contexts: agreed, mostBytesThere: request.user.mostBytes, mostBytesHere };
  const association = createAssociation(connection, terms);
  const answer = answering(context, association, { device, sentTo }, { log, stopping });

  let isAnswering = false;
  const stop = () => {
    if (!isAnswering) association.abort();
  };
  stopping.addEventListener('abort', stop);
  try {
    while (!stopping.aborted) {
      const message = await association.receive(idleFor);
      if (!message) return connection.end(writeReleaseResponse());
      isAnswering = true;
      await answer(message);
      isAnswering = false;
    }
    association.abort();
  } finally {
    stopping.removeEventListener('abort', stop);
  }
};

/** Returns a function that answers the messages of a device. It throws when the device is no longer allowed. */
const answering = (
  context: DimseContext,
  association: Association,
  { device: known, sentTo }: { device: Device; sentTo: ReadonlySet<string> },
  { log, stopping }: Pick<ServerState, 'log' | 'stopping'>,
) => {
  const audited = new Set<string>();
  let device = known;

  const onError = (error: unknown) =>
    log.error({ callingAeTitle: device.callingAeTitle, err: error }, 'DIMSE message failed');

  const confirm = repeatAtMostEvery(async () => {
    const current = await findDevice(context, device);
    if (typeof current === 'string' || current.tenantId !== device.tenantId)
      throw new ProtocolError('The device is no longer allowed');
    await touchDevice(context, current);
    device = current;
  });

  const confirmRetrieving = async () => {
    await confirm();
    if (!device.mayQuery) throw new ProtocolError('The device may no longer retrieve');
  };

  return async (message: Message): Promise<void> => {
    await confirm();
    const { CommandField } = message.command;
    const { abstractSyntax } = message.context;
    const { wado, outgoing } = context;
    const allowed = { device, sentTo, most: mostObjects, confirm: confirmRetrieving };
    const service = { wado, outgoing, ...allowed, onError, stopping };
    if (CommandField === commandField.store)
      return answerStore(association, message, { archive: context, device, audited, onError });
    if (CommandField === commandField.find && abstractSyntax === modalityWorklistFind)
      return answerFind(association, message, {
        find: worklistOf(context, device),
        ignoresKeys: ignoresWorklistKeys,
        most: mostItems,
        onError,
      });
    if (CommandField === commandField.find && abstractSyntax === studyRoot.find)
      return answerFind(association, message, {
        find: archiveSearch(service),
        ignoresKeys,
        most: mostMatches,
        onError,
      });
    if (CommandField === commandField.get && abstractSyntax === studyRoot.get)
      return answerGet(association, message, service);
    if (CommandField === commandField.move && abstractSyntax === studyRoot.move)
      return answerMove(association, message, service);
    // This C-CANCEL came too late: the message that it cancels was already answered (PS3.7 §9.3.2.3).
    if (CommandField === commandField.cancel) return;
    const isEcho = CommandField === commandField.echo;
    await message.dataSet?.drain(context.config.maxInstanceBytes);
    await answerPlainly(association, message, isEcho ? 0x0000 : unrecognizedOperation);
  };
};

/**
 * Maximum numbers of worklist items, matches and instances for one request. When there are more, the answer says so.
 */
const mostItems = 1000;
const mostMatches = 10_000;
const mostObjects = 100_000;

const unrecognizedOperation = 0x0211;

const answerPlainly = (association: Association, { context, command }: Message, Status: number): Promise<void> =>
  association.send(context, {
    CommandField: responseTo(command.CommandField),
    ...(command.MessageID !== undefined && { MessageIDBeingRespondedTo: command.MessageID }),
    AffectedSOPClassUID: context.abstractSyntax,
    Status,
  });

/**
 * Reads the worklist. An audit entry with the device and the number of items is written before the answers are sent.
 */
const worklistOf =
  ({ scopes }: DimseContext, device: Device): Find =>
  (identifier, most) =>
    scopes.inTenant(readingSessionOf(device), async (scope) => {
      if (!device.mayReadWorklist) throw new BadQuery(t`This device may not query the worklist.`);
      const items = await findWorklistItems(scope, identifier, device.callingAeTitle, most);
      const subject = { entity: 'application_entity', entityId: device.id } as const;
      await audit(scope, 'worklist.read', { ...subject, detail: { items: items.length } });
      return items;
    });
