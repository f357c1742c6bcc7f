import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import accounts from 's3rver/lib/models/account.js';

/** Creates an access key that S3 servers accept until it is revoked. The secret equals the key. */
export const issueKey = (key: string) => {
  accounts.DUMMY_ACCOUNT.createKeyPair(key, key);
  return { takeBack: () => accounts.DUMMY_ACCOUNT.revokeAccessKey(key) };
};

export type S3Server = Awaited<ReturnType<typeof startS3Server>>;

/** Starts an S3 server with an empty bucket "archive" and records its requests. */
export const startS3Server = async () => {
  const directory = await mkdtemp(join(tmpdir(), 'radwork-s3-'));
  const requests: IncomingMessage[] = [];
  let port = 0;

  const run = async () => {
    const server = new S3rver({
      address: '127.0.0.1',
      port,
      silent: true,
      directory,
      vhostBuckets: false,
      configureBuckets: [{ name: 'archive' }],
    });
    ({ port } = await server.run());
    server.httpServer.on('request', (request) => requests.push(request));
    return server;
  };
  let server = await run();

  /** Stops it like a crash and breaks connections. Stored objects remain. */
  const stop = async () => {
    const closed = server.close();
    server.httpServer.closeAllConnections();
    await closed;
  };

  return {
    /** The folder of its buckets. */
    directory,
    requests,
    /** Returns the URL of the bucket, or of a prefix in it, for STORAGE_URL. */
    url: (prefix = '') => `s3://S3RVER:S3RVER@127.0.0.1:${port}/archive/${prefix}?tls=0`,
    stop,
    /** Starts again after `stop`, on the same port. */
    start: async () => {
      server = await run();
    },
    remove: async () => {
      if (server.httpServer.listening) await stop();
      await rm(directory, { recursive: true });
    },
  };
};
