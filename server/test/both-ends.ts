import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** The two ends of a connection that lasts as long as the test. */
export const bothEnds = async (): Promise<[here: Socket, there: Socket]> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const there = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1');
  const [here]: Socket[] = await once(server, 'connection');
  if (!here) throw new Error('Nobody has connected');
  onTestFinished(() => {
    server.close();
    for (const socket of [here, there]) socket.destroy();
  });
  return [here, there];
};
