import type { Socket } from 'node:net';
import { createServer } from 'node:tls';
import type { Config } from '#core/config.ts';
import { readDicomAuthority, readDicomTls } from '#core/dicom-tls.ts';
import { addressOf } from './connection.ts';
import type { Log } from './serve-association.ts';

const agreesWithin = 10_000;

type Welcome = (socket: Socket, leave: () => void) => void;

/** The two ends of a connection's line, by which TLS is known to belong to it. */
const lineOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/**
 * Has devices that connect speak TLS and nothing else (PS3.15 B.12), and welcomes them when it is agreed on. Where an
 * authority is named, whoever has no certificate of it is not listened to.
 */
export const createTls = (config: Config, { welcome, log }: { welcome: Welcome; log: Log }) => {
  const read = () => ({ ...readDicomTls(config), ca: readDicomAuthority(config) });
  const isForKnown = config.dimseTls?.caFile !== undefined;
  const agreeing = new Map<string, { socket: Socket; leave: () => void }>();
  /** Those of them whose places are still our matter, even where another one has come by the same line since. */
  const placed = new Set<Socket>();
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
    if (agreed && placed.delete(agreed.socket)) welcome(socket, agreed.leave);
    else socket.destroy();
  });
  server.on('tlsClientError', (error, socket) => {
    log.warn({ address: addressOf(socket), err: error }, 'TLS with a DIMSE device was not agreed on');
  });

  return {
    /** `leave` is called when the connection ends before it is agreed on; afterwards it is the matter of who welcomes. */
    agree: (socket: Socket, leave: () => void): void => {
      const line = lineOf(socket);
      agreeing.set(line, { socket, leave });
      placed.add(socket);
      socket.once('close', () => {
        if (agreeing.get(line)?.socket === socket) agreeing.delete(line);
        if (placed.delete(socket)) leave();
      });
      socket.on('error', () => socket.destroy());
      // One that was reset before it was accepted has no line.
      if (socket.remoteAddress === undefined) {
        socket.destroy();
        return;
      }
      try {
        server.setSecureContext(read());
      } catch (error) {
        // Half of a renewal: what was read before goes on.
        log.warn({ err: error }, 'the certificate of DIMSE cannot be read');
      }
      server.emit('connection', socket);
    },
    close: (): void => {
      for (const socket of placed) socket.destroy();
    },
  };
};
