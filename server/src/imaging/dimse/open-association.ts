import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { DicomEndpoint } from '#core/outgoing/open-outgoing.ts';
import { type Association, type Context, createAssociation } from './association.ts';
import { openConnection } from './connection.ts';
import { mostBytesHere, ownUserInformation } from './negotiation.ts';
import {
  contextResult,
  mostAssociateBytes,
  pduType,
  type ProposedContext,
  readAssociateAccept,
  readReject,
  type Role,
  type UserInformation,
  writeAssociateRequest,
} from './pdu.ts';
import type { RemoteAddress } from './remote-address.ts';
import { ProtocolError, TimedOut } from './protocol-error.ts';
import { toAssociationError, rejectionError } from './remote-failure.ts';

/** Resolves the address of a remote archive if the operator's rules allow it. Also returns its TLS options. */
export type Locate = (host: string, port: number, isTls: boolean) => Promise<DicomEndpoint>;

/** The proposal for an association: at most 128 contexts, and the roles for the SOP classes that we want to receive. */
export type AssociationProposal = { contexts: Omit<ProposedContext, 'id'>[]; roles?: Role[] };

const connectsWithin = 5000;
const answersWithin = 15_000;
const releasesWithin = 3000;

export const remoteNameOf = ({ calledAeTitle, host, port }: RemoteAddress): string =>
  `${calledAeTitle} at ${host}:${port}`;

/**
 * Runs work in an association and always ends the association. Throws RemoteError for faults of the other side and the
 * network. When the signal aborts, cuts the connection and throws the signal's reason. If that reason is a time-out, it
 * counts as a fault of the other side.
 */
export const inAssociation = async <T>(
  peer: RemoteAddress,
  locate: Locate,
  proposal: AssociationProposal,
  signal: AbortSignal,
  work: (association: Association, them: UserInformation) => Promise<T>,
): Promise<T> => {
  const opened = await openAssociation(peer, locate, proposal, signal);
  try {
    const result = await work(opened.association, opened.them);
    await opened.close();
    return result;
  } catch (error) {
    opened.breakOff();
    throw opened.inWords(error);
  }
};

export type OpenedAssociation = Awaited<ReturnType<typeof openAssociation>>;

/** Opens an association for work in several steps. The caller must close the association or break it off. */
export const openAssociation = async (
  peer: RemoteAddress,
  locate: Locate,
  proposal: AssociationProposal,
  signal: AbortSignal,
) => {
  const place = remoteNameOf(peer);
  const { isTls = false } = peer;
  const { address, tls } = await locate(peer.host, peer.port, isTls);
  if (isTls && !tls) throw new Error('The association requires TLS');
  const socket = tls
    ? connectTls({ host: address, port: peer.port, ...tls })
    : connect({ host: address, port: peer.port });
  const cut = () => socket.destroy(signal.reason instanceof Error ? signal.reason : undefined);
  signal.addEventListener('abort', cut);
  const forget = () => signal.removeEventListener('abort', cut);
  const inWords = (error: unknown): unknown => toAssociationError(signal.aborted ? signal.reason : error, place);
  try {
    signal.throwIfAborted();
    await connected(socket, tls ? 'secureConnect' : 'connect');
    const connection = openConnection(socket);
    const { association, them } = await negotiate(connection, peer, proposal);
    return {
      association,
      them,
      inWords,
      close: async (): Promise<void> => {
        forget();
        // All work is done, so an error while releasing the association does not matter.
        await association.release(releasesWithin).catch(() => association.abort());
      },
      breakOff: (): void => {
        forget();
        association.abort();
      },
    };
  } catch (error) {
    forget();
    socket.destroy();
    throw inWords(error);
  }
};

const connected = async (socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> => {
  const timer = setTimeout(() => socket.destroy(new TimedOut('The address did not answer')), connectsWithin);
  await once(socket, event).finally(() => clearTimeout(timer));
};

const negotiate = async (
  connection: ReturnType<typeof openConnection>,
  peer: RemoteAddress,
  { contexts, roles }: AssociationProposal,
) => {
  const proposed = contexts.map((context, index) => ({ ...context, id: 2 * index + 1 }));
  const { calledAeTitle, callingAeTitle } = peer;
  const user = { ...ownUserInformation, roles: roles ?? [] };
  await connection.write(writeAssociateRequest({ calledAeTitle, callingAeTitle, contexts: proposed, user }));
  const { type, body } = await connection.read(mostAssociateBytes, answersWithin);
  if (type === pduType.associateReject) throw rejectionError(remoteNameOf(peer), readReject(body));
  if (type !== pduType.associateAccept) throw new ProtocolError('Unexpected answer to an association request');
  const accept = readAssociateAccept(body);
  const agreed = proposed.flatMap(({ id, abstractSyntax, transferSyntaxes }): Context[] => {
    const answer = accept.contexts.find((context) => context.id === id);
    if (answer?.result !== contextResult.accepted || !transferSyntaxes.includes(answer.transferSyntax)) return [];
    return [{ id, abstractSyntax, transferSyntax: answer.transferSyntax }];
  });
  const association = createAssociation(connection, {
    contexts: new Map(agreed.map((context) => [context.id, context])),
    mostBytesThere: accept.user.mostBytes,
    mostBytesHere,
  });
  return { association, them: accept.user };
};

/** Returns the accepted context of a service, or undefined. */
export const contextOf = ({ contexts }: Association, abstractSyntax: string): Context | undefined =>
  [...contexts.values()].find((context) => context.abstractSyntax === abstractSyntax);
