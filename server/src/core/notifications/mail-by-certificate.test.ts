import { once } from 'node:events';
import { copyFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { SMTPServer } from 'smtp-server';
import { expect, onTestFinished, test } from 'vitest';
import { createAuthority, hasOpenssl } from '#test/certificates.ts';
import { verifyMailServer } from './mail.ts';

const unlessMissing = hasOpenssl ? '' : ' (skipped: there is no openssl)';

/** A mail server that accepts only clients with a certificate from this authority. */
const startStrictServer = async ({ ca, issue }: ReturnType<typeof createAuthority>) => {
  const own = issue('mail-server', 'IP:127.0.0.1');
  const seen: unknown[] = [];
  const server = new SMTPServer({
    secure: true,
    cert: readFileSync(own.cert),
    key: readFileSync(own.key),
    ca: readFileSync(ca),
    requestCert: true,
    rejectUnauthorized: true,
    authOptional: true,
    onSecure: (socket, _session, done) => {
      seen.push((socket as TLSSocket).getPeerCertificate().subject?.CN);
      done();
    },
  });
  // Ignores errors, because a client that is refused ends the handshake.
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  onTestFinished(() => new Promise<void>((closed) => server.close(closed)));
  return { url: `smtps://127.0.0.1:${(server.server.address() as AddressInfo).port}`, seen };
};

test.skipIf(!hasOpenssl)(
  `signs in to a mail server by certificate and uses a renewed certificate without a restart${unlessMissing}`,
  async () => {
    const authority = createAuthority();
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, readFileSync(authority.ca, 'utf8')]);
    onTestFinished(() => setDefaultCACertificates(trusted));
    const { url, seen } = await startStrictServer(authority);
    const certificate = { certFile: join(authority.folder, 'our.pem'), keyFile: join(authority.folder, 'our.key') };
    const take = async ({ cert, key }: { cert: string; key: string }) => {
      await copyFile(cert, certificate.certFile);
      await copyFile(key, certificate.keyFile);
    };

    await expect(verifyMailServer({ url })).rejects.toThrow(/certificate required/i);
    await take(authority.issue('radwork', 'DNS:radwork'));
    await verifyMailServer({ url, certificate });
    await take(authority.issue('renewed', 'DNS:radwork'));
    await verifyMailServer({ url, certificate });

    expect(seen.slice(-2)).toEqual(['radwork', 'renewed']);
  },
);
