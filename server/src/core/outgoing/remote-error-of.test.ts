import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { expect, onTestFinished, test } from 'vitest';
import { createAuthority, hasOpenssl } from '#test/certificates.ts';
import { readAllowRules } from './allow-rules.ts';
import { toRemoteError } from './remote-error-of.ts';
import { openOutgoing } from './open-outgoing.ts';

const failing = (code: string, syscall?: string, message = 'unsuitable') =>
  toRemoteError(Object.assign(new Error(message), { code, syscall }), 'pacs.lan:443');

test.skipIf(!hasOpenssl)(
  'reports a certificate that is not valid for a server as a fault of the remote server (needs openssl)',
  async () => {
    const authority = createAuthority();
    const { cert, key } = authority.issue('client', 'DNS:pacs.test\nextendedKeyUsage=clientAuth');
    const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (_, response) => response.end());
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address();
        resolve(typeof address === 'object' && address ? address.port : 0);
      });
    });
    const settings = { remoteCaFile: authority.ca, remoteTimeoutSeconds: 5 };
    const outgoing = openOutgoing(
      { ...settings, remoteAllow: readAllowRules(`net=127.0.0.1 ports=${port} protocols=https`) },
      async () => [{ address: '127.0.0.1' }],
    );
    onTestFinished(async () => {
      await outgoing.close();
      server.close();
    });

    const calling = outgoing.fetch({ id: 1, subdomain: 'north' }, `https://pacs.test:${port}/`, {
      signal: AbortSignal.timeout(20_000),
    });

    await expect(calling).rejects.toMatchObject({
      remoteCause: 'TLS',
      message: `The certificate of pacs.test:${port} is not acceptable: unsuitable certificate purpose. The operator of pacs.test:${port} must replace it.`,
    });
  },
);

const refusals = `
  INVALID_PURPOSE UNSPECIFIED INVALID_CA HOSTNAME_MISMATCH PATH_LENGTH_EXCEEDED
  CERT_NOT_YET_VALID CERT_REVOKED CRL_HAS_EXPIRED ERROR_IN_CERT_NOT_AFTER_FIELD`;

test.each(refusals.trim().split(/\s+/))(
  'a certificate with the fault %s is reported as not acceptable, with the reason of OpenSSL',
  (code) => {
    expect(failing(code)).toMatchObject({
      remoteCause: 'TLS',
      message: expect.stringMatching(/^The certificate of pacs\.lan:443 is not acceptable: unsuitable\./),
    });
  },
);

test.each(['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'CERT_UNTRUSTED'])(
  'a certificate with the fault %s is reported as having no trusted authority',
  (code) => {
    expect(failing(code)).toMatchObject({ remoteCause: 'TLS', message: expect.stringContaining('REMOTE_CA_FILE') });
  },
);

test.each([
  ['EACCES', 'connect', 'CONNECTION_REFUSED', /firewall/],
  ['EPERM', 'connect', 'CONNECTION_REFUSED', /firewall/],
  ['EHOSTDOWN', 'connect', 'CONNECTION_REFUSED', /has no route/],
  ['ENETDOWN', 'connect', 'CONNECTION_REFUSED', /has no route/],
  ['ECONNABORTED', 'read', 'OTHER', /closed the connection/],
  ['EAI_FAIL', 'getaddrinfo', 'DNS', /could not be looked up/],
])('reports the network error %s (%s) as a fault of the remote server', (code, syscall, remoteCause, message) => {
  expect(failing(code, syscall)).toMatchObject({ remoteCause, message: expect.stringMatching(message) });
});

test.each([
  ['EACCES', 'open'],
  ['EMFILE', 'connect'],
  ['ENOENT', 'connect'],
  ['ENOBUFS', 'connect'],
  ['OUT_OF_MEM', undefined],
])('reports %s (%s) as a fault of this server', (code, syscall) => {
  expect(failing(code, syscall)).toMatchObject({ name: 'Error', code });
});
