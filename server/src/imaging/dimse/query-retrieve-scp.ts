import { t } from '@radwork/contract/core/translate';
import { type DicomJson, valuesOf } from '@radwork/dicom/dataset';
import { isUid } from '@radwork/dicom/uid';
import type { StudyRef } from '#imaging/archive/dicomweb/stored-instances.ts';
import type { Wado } from '#imaging/archive/dicomweb/wado-context.ts';
import { limitSearches } from '#imaging/archive/search/search-turns.ts';
import { audit } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import { RemoteError } from '#core/outgoing/remote-error.ts';
import { Problem } from '#core/http/problem.ts';
import type { Session } from '#core/access/scope.ts';
import { findInArchive, type FoundInstance, instancesNamed, queryingSession } from './archive-queries.ts';
import { type Association, type Message, readWhole } from './association.ts';
import { repeatAtMostEvery, type Device } from './devices.ts';
import type { Find } from './find-scp.ts';
import { BadIdentifier, mostIdentifierBytes, readIdentifier } from './identifier.ts';
import { contextsFor, destinationOf, sendingTo } from './move-destination.ts';
import { type Locate, openAssociation } from './open-association.ts';
import { isEndOfAssociation } from './protocol-error.ts';
import { BadQuery } from './requested-keys.ts';
import { answerRetrieval, retrieveStatus, sendAll } from './retrieve-scp.ts';
import { sendObject } from './send-instances.ts';

export type QueryRetrieve = {
  wado: Wado;
  outgoing: Context['outgoing'];
  device: Device;
  /** SOP classes that the device accepts over the association that it opened. */
  sentTo: ReadonlySet<string>;
  /** Maximum number of instances that one retrieval sends. */
  most: number;
  /** Throws when the device has lost the right to retrieve. */
  confirm: () => Promise<void>;
  onError: (error: unknown) => void;
  /** Aborts when the server stops. */
  stopping: AbortSignal;
};

/**
 * Answers a C-FIND of the Study Root. A search that is not limited to one study waits in the queue that all searches
 * share. Before the answers are sent, an audit entry with the device and the number of matches is written.
 */
export const archiveSearch =
  ({ wado, device }: QueryRetrieve): Find =>
  async (identifier, most) => {
    if (!device.mayQuery) throw new BadQuery(t`This device may not query.`);
    const session = queryingSession(device);
    const find = () =>
      wado.scopes.inTenant(session, async (scope) => {
        const matches = await findInArchive(scope, identifier, device.calledAeTitle, most);
        const subject = { entity: 'application_entity', entityId: device.id } as const;
        await audit(scope, 'archive.query', { ...subject, detail: { matches: matches.length } });
        return matches;
      });
    // A search within one study is fast, even in a large archive.
    return isOfOneStudy(identifier) ? find() : limitSearches(session, find);
  };

const isOfOneStudy = (identifier: DicomJson): boolean => {
  const [uid, ...more] = valuesOf(identifier, 'StudyInstanceUID');
  return typeof uid === 'string' && isUid(uid) && more.length === 0;
};

/** Answers a C-GET (PS3.4 §C.4.3): sends instances over the same association. */
export const answerGet = (association: Association, message: Message, service: QueryRetrieve): Promise<void> =>
  retrieving(association, message, service, async (objects) => {
    await eachStudy(service, objects, service.wado.retrievals.auditRetrieval);
    let isCanceled = false;
    const sending = {
      association,
      wado: service.wado,
      session: queryingSession(service.device),
      onError: service.onError,
      onCancel: () => {
        isCanceled = true;
      },
    };
    await sendAll(association, message, objects, {
      send: async (object) => (service.sentTo.has(object.sopClassUid) ? sendObject(sending, object) : 'failed'),
      isCancelled: async () => {
        await service.confirm();
        return isCanceled || association.isCancelled(message.command.MessageID);
      },
    });
  });

/**
 * Answers a C-MOVE (PS3.4 §C.4.2): sends instances to a device of the same tenant, if its address and port are known.
 */
export const answerMove = (association: Association, message: Message, service: QueryRetrieve): Promise<void> =>
  retrieving(association, message, service, async (objects) => {
    const { wado, outgoing, device, stopping, onError } = service;
    const { MoveDestination: destination = '', MessageID: messageId = 0 } = message.command;
    const session = queryingSession(device);
    const { peer, tenant } = await destinationOf(wado, device, destination);
    if (!peer) return answerRetrieval(association, message, retrieveStatus.destinationUnknown);
    const sentTo = { destination, host: peer.host, port: peer.port };
    await eachStudy(service, objects, (...study) => wado.retrievals.auditSent(...study, sentTo));
    const locate: Locate = (...place) => outgoing.address(tenant, ...place);
    // If devices must connect over TLS, we also connect to them over TLS.
    const towards = { ...peer, isTls: wado.config.dimseTls !== undefined };
    const origin = { aeTitle: device.callingAeTitle, messageId };
    const destined = sendingTo(() => openAssociation(towards, locate, contextsFor(objects), stopping), {
      wado,
      session,
      origin,
      onError,
    });
    const confirmDestination = repeatAtMostEvery(async () => {
      const { peer: now } = await destinationOf(wado, device, destination);
      if (now?.host !== peer.host || now.port !== peer.port)
        throw new RemoteError('OTHER', t`The destination has changed or was removed.`);
    });
    try {
      await sendAll(association, message, objects, {
        send: async (object) => {
          await confirmDestination();
          return destined.send(object);
        },
        isCancelled: async () => {
          await service.confirm();
          return association.isCancelled(messageId);
        },
      });
      await destined.close();
    } finally {
      destined.breakOff();
    }
  });

/** Writes an audit entry for each study of these instances. */
const eachStudy = async (
  { wado, device }: QueryRetrieve,
  objects: readonly FoundInstance[],
  note: (session: Session, study: StudyRef) => Promise<void>,
): Promise<void> => {
  const session = queryingSession(device);
  for (const studyUid of new Set(objects.map((object) => object.studyUid))) {
    await note(session, await wado.objects.study(session, studyUid));
  }
};

/**
 * Finds the requested instances and sends them. Answers an error with a status, unless the error ends the association.
 */
const retrieving = async (
  association: Association,
  message: Message,
  { wado, device, most, onError }: QueryRetrieve,
  send: (objects: FoundInstance[]) => Promise<void>,
): Promise<void> => {
  const answer = (status: number, ErrorComment: string) =>
    answerRetrieval(association, message, status, { ErrorComment });
  try {
    const { dataSet, context } = message;
    const bytes = dataSet ? await readWhole(dataSet, mostIdentifierBytes) : Buffer.alloc(0);
    if (!device.mayQuery) return await answer(retrieveStatus.notAuthorized, 'This device may not retrieve.');
    const session = queryingSession(device);
    const identifier = readIdentifier(bytes, context.transferSyntax);
    const objects = await wado.scopes.inTenant(session, (scope) => instancesNamed(scope, identifier, most + 1));
    if (objects.length > most)
      return await answer(retrieveStatus.tooMany, `More than ${most} instances. Narrow the request.`);
    await send(objects);
  } catch (error) {
    if (isEndOfAssociation(error)) throw error;
    if (error instanceof BadQuery || error instanceof BadIdentifier)
      return answer(retrieveStatus.doesNotMatch, error.message);
    if (error instanceof RemoteError) return answer(retrieveStatus.nothingSent, error.message);
    if (error instanceof Problem && error.status < 500) return answer(retrieveStatus.doesNotMatch, error.message);
    onError(error);
    await answer(retrieveStatus.unableToProcess, 'The retrieval failed. Try again later.');
  }
};
