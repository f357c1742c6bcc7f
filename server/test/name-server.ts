import { createSocket, type RemoteInfo } from 'node:dgram';
import { Resolver } from 'node:dns/promises';

/** The IPv4 addresses of a name, by the number of earlier queries. */
export type Zone = Record<string, (earlierQueries: number) => string[]>;

/** Starts a local name server whose replies may change between queries. The caller must stop it. */
export const startNameServer = async (zone: Zone) => {
  const queryCounts = new Map<string, number>();
  const socket = createSocket('udp4');
  const answer = (message: Buffer, { port, address }: RemoteInfo) => {
    const { name, end } = questionOf(message);
    const before = queryCounts.get(name) ?? 0;
    queryCounts.set(name, before + 1);
    const addresses = zone[name]?.(before) ?? [];
    const header = Buffer.alloc(12);
    message.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    socket.send(Buffer.concat([header, message.subarray(12, end), ...addresses.map(recordOf)]), port, address);
  };
  socket.on('message', answer);
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    resolve: async (host: string) => (await resolver.resolve4(host)).map((address) => ({ address })),
    timesAsked: (host: string) => queryCounts.get(host) ?? 0,
    stop: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
};

/** Returns the requested name and the end of the question (RFC 1035 §4.1.2). */
const questionOf = (message: Buffer): { name: string; end: number } => {
  const labels: string[] = [];
  let at = 12;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 };
};

/** Returns an A record that must not be cached (RFC 1035 §4.1.3). */
const recordOf = (address: string): Buffer =>
  Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]);
