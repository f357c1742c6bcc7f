import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createWado } from '#imaging/archive/dicomweb/wado-context.ts';
import type { Context } from '#core/context.ts';
import { createAssociationLimits } from './association-limits.ts';
import { addressOf, openConnection } from './connection.ts';
import { ProtocolError } from './protocol-error.ts';
import { type Log, serveAssociation } from './serve-association.ts';
import { writeAbort } from './pdu.ts';
import { createTls } from './tls.ts';

export type Gateway = {
  port: number;
  /** The number of open connections. */
  associations: () => number;
  close: () => Promise<void>;
};

/** Milliseconds for associations to finish their message when the server stops. */
const stopsWithin = 10_000;

/** Reason of an abort as the service provider (PS3.8 Table 9-26). */
const unexpectedUnit = 2;

/**
 * Listens for DIMSE on the configured port. An error ends only its own connection. When closed, accepts no new
 * association. Each open association may still answer its current message, and is ended if this takes too long.
 */
export const openGateway = async (
  context: Context,
  { port, host, log }: { port: number; host: string; log: Log },
): Promise<Gateway> => {
  const limits = createAssociationLimits(context.config.dimseMaxAssociations);
  const wado = createWado(context);
  const served = { ...context, wado };
  const stopping = new AbortController();
  const sockets = new Map<Socket, Promise<void>>();

  const serve = async (socket: Socket, leave: () => void) => {
    const connection = openConnection(socket);
    const { address } = connection;
    try {
      await serveAssociation(served, connection, { limits, log, stopping: stopping.signal });
    } catch (error) {
      connection.end(writeAbort(error instanceof ProtocolError ? unexpectedUnit : undefined));
      log.warn({ address, err: error }, 'DIMSE association interrupted');
    } finally {
      leave();
    }
  };

  const welcome = (socket: Socket, leave: () => void) => {
    sockets.set(socket, serve(socket, leave));
    socket.once('close', () => sockets.delete(socket));
  };
  const tls = context.config.dimseTls && createTls(context.config, { welcome, log });

  const server = createServer((socket) => {
    const leave = limits.connection(addressOf(socket));
    if (!leave || stopping.signal.aborted) {
      leave?.();
      socket.destroy();
      return;
    }
    if (tls) tls.agree(socket, leave);
    else welcome(socket, leave);
  });
  // Reports, for example, that the system's limit of open files is reached.
  server.on('error', (error) => log.error({ err: error }, 'DIMSE does not listen'));
  server.listen(port, host);
  await once(server, 'listening');

  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    associations: () => sockets.size,
    close: async () => {
      server.close();
      stopping.abort();
      tls?.close();
      const timer = setTimeout(() => {
        for (const socket of sockets.keys()) socket.destroy();
      }, stopsWithin);
      await Promise.all(sockets.values()).finally(() => clearTimeout(timer));
      await wado.renderer.close();
    },
  };
};
