import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Opens a connection for the duration of the test and returns both ends. */
export const bothEnds = async (): Promise<[here: Socket, there: Socket]> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const peerSocket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1');
  const [ownSocket]: Socket[] = await once(server, 'connection');
  if (!ownSocket) throw new Error('Nobody has connected');
  onTestFinished(() => {
    server.close();
    for (const socket of [ownSocket, peerSocket]) socket.destroy();
  });
  return [ownSocket, peerSocket];
};

/** Listens on a port for the duration of the test and runs `does` for each connection. Returns the port. */
export const startSocketServer = async (does: (socket: Socket) => void): Promise<number> => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    does(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
};
