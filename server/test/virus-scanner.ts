import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Starts a scanner that replies like clamd at the end of a stream, and keeps the streams. */
export const startScanner = async (answer: (seen: Buffer) => string | undefined) => {
  const streams: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let arrived = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      arrived = Buffer.concat([arrived, chunk]);
      const stream = streamIn(arrived);
      if (!stream) return;
      streams.push(stream);
      const words = answer(stream);
      if (words === undefined) socket.destroy();
      else socket.end(`${words}\0`);
    });
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
  const stop = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  onTestFinished(stop);
  return { address: { host: '127.0.0.1', port }, streams, stop };
};

/** Joins the chunks of a stream; undefined before its end. */
const streamIn = (bytes: Buffer): Buffer | undefined => {
  const command = Buffer.from('zINSTREAM\0');
  if (!bytes.subarray(0, command.length).equals(command)) return undefined;
  const chunks: Buffer[] = [];
  for (let at = command.length; at + 4 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return undefined;
};
