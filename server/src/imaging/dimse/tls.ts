import type { Socket } from 'node:net';
import { createServer } from 'node:tls';
import type { Config } from '#core/config/config.ts';
import { readDicomAuthority, readDicomTls } from '#core/config/dicom-tls.ts';
import { addressOf } from './connection.ts';
import type { Log } from './serve-association.ts';

const agreesWithin = 10_000;

type OnSecure = (socket: Socket, leave: () => void) => void;

/** Returns address and port of the other side. They show which plain connection belongs to a TLS socket. */
const lineOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/**
 * Accepts only TLS connections from devices (PS3.15 B.12), and calls `welcome` after the handshake. If an authority is
 * configured, devices need a certificate from it.
 */
export const createTls = (config: Config, { welcome, log }: { welcome: OnSecure; log: Log }) => {
  const read = () => ({ ...readDicomTls(config), ca: readDicomAuthority(config) });
  const isForKnown = config.dimseTls?.caFile !== undefined;
  const agreeing = new Map<string, { socket: Socket; leave: () => void }>();
  /**
   * Sockets for which `leave` may still be called. A set tells them apart by identity, because a newer socket may have
   * the same address and port.
   */
  const leavingSockets = new Set<Socket>();
  const server = createServer({
    ...read(),
    requestCert: isForKnown,
    rejectUnauthorized: isForKnown,
    handshakeTimeout: agreesWithin,
  });
  server.on('secureConnection', (socket) => {
    const line = lineOf(socket);
    const agreed = agreeing.get(line);
    agreeing.delete(line);
    if (agreed && leavingSockets.delete(agreed.socket)) welcome(socket, agreed.leave);
    else socket.destroy();
  });
  server.on('tlsClientError', (error, socket) => {
    log.warn({ address: addressOf(socket), err: error }, 'TLS with a DIMSE device failed');
  });

  return {
    /**
     * Starts the handshake. If the connection ends before the handshake succeeds, calls `leave`. Otherwise `welcome`
     * receives `leave` and must call it.
     */
    agree: (socket: Socket, leave: () => void): void => {
      const line = lineOf(socket);
      agreeing.set(line, { socket, leave });
      leavingSockets.add(socket);
      socket.once('close', () => {
        if (agreeing.get(line)?.socket === socket) agreeing.delete(line);
        if (leavingSockets.delete(socket)) leave();
      });
      socket.on('error', () => socket.destroy());
      // A connection that was reset before it was accepted has no address.
      if (socket.remoteAddress === undefined) {
        socket.destroy();
        return;
      }
      try {
        server.setSecureContext(read());
      } catch (error) {
        // The renewal is not complete, so the previous certificate stays in use.
        log.warn({ err: error }, 'the DIMSE certificate cannot be read');
      }
      server.emit('connection', socket);
    },
    close: (): void => {
      for (const socket of leavingSockets) socket.destroy();
    },
  };
};
