import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type ConnectionOptions } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { readAllowRules } from '#core/outgoing/allow-rules.ts';
import { openOutgoing } from '#core/outgoing/open-outgoing.ts';
import type { RemoteError } from '#core/outgoing/remote-error.ts';
import { type Certificate, createAuthority, hasOpenssl } from '#test/certificates.ts';
import { freePort, untilListening } from '#test/ports.ts';
import { hasDcmtk, runDcmtk } from '#test/dcmtk.ts';
import { addDevice, listenForDevices } from '#test/dimse-device.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';
import { identifierSyntaxes } from './identifier.ts';
import { contextOf, inAssociation, type Locate } from './open-association.ts';
import { readRemoteAddress } from './remote-address.ts';
import { createTls } from './tls.ts';
import { verification } from './sop-classes.ts';

const noSignal = new AbortController().signal;

/** A server with DIMSE over TLS. With `isForKnown`, a device must show a certificate. */
const listening = async (isForKnown: boolean) => {
  const authority = createAuthority();
  const { cert, key } = authority.issue('gateway', 'IP:127.0.0.1');
  const files = { DIMSE_TLS_CERT_FILE: cert, DIMSE_TLS_KEY_FILE: key };
  const world = await createWorld({
    REMOTE_ALLOW: 'net=127.0.0.1 ports=1024-65535 protocols=dicoms',
    ...files,
    ...(isForKnown && { DIMSE_TLS_CA_FILE: authority.ca }),
  });
  const gateway = await listenForDevices(world);
  onTestFinished(gateway.close);
  const tenant = await world.newTenant();
  const { called, calling } = await addDevice(world, tenant);
  const place = ['-aet', calling, '-aec', called, '127.0.0.1', String(gateway.port)];
  return { authority, world, tenant, gateway, place, files, titles: { called, calling } };
};

const sentFile = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'radwork-tls-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'image.dcm'), image().bytes);
  return join(folder, 'image.dcm');
};

/** Starts dcmtk's storescp as a remote archive over TLS. */
const startStorescp = async (...options: string[]): Promise<number> => {
  const port = await freePort();
  const child = spawn('storescp', ['--ignore', ...options, String(port)], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await untilListening(port);
  return port;
};

const asDevice = ({ cert, key }: Certificate) => ['+tls', key, cert];

const needs = !hasDcmtk || !hasOpenssl;

test.skipIf(needs)('stores the instances that a device sends over TLS (needs dcmtk and openssl)', async () => {
  const { authority, world, tenant, place } = await listening(false);
  const trusting = ['+cf', authority.ca];

  const echoed = await runDcmtk('echoscu', '+tla', ...trusting, ...place);
  const sent = await runDcmtk('storescu', '+tla', ...trusting, ...place, await sentFile());

  expect([echoed, sent]).toMatchObject([{ status: 0 }, { status: 0 }]);
  const stored = await world.inTenant(tenant, ({ db }) => db.selectFrom('instances').select('id').execute());
  expect(stored).toHaveLength(1);
});

test.skipIf(needs)(
  'with TLS enabled, plain connections and weak TLS are refused (needs dcmtk and openssl)',
  async () => {
    const { place, gateway } = await listening(false);

    const plain = await runDcmtk('echoscu', '-ta', '5', ...place);
    const old = await answerTo({
      port: gateway.port,
      maxVersion: 'TLSv1.1',
      minVersion: 'TLSv1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    const weak = await answerTo({
      port: gateway.port,
      maxVersion: 'TLSv1.2',
      ciphers: 'ECDHE-ECDSA-AES256-SHA384:ECDHE-ECDSA-AES256-SHA',
    });
    const fine = await answerTo({ port: gateway.port, maxVersion: 'TLSv1.2' });

    expect(plain.status).not.toBe(0);
    expect([old, weak, fine]).toEqual([
      expect.stringMatching(/^ERR_SSL/),
      expect.stringMatching(/^ERR_SSL/),
      'TLSv1.2',
    ]);
  },
);

/** The negotiated TLS version, or an error code. */
const answerTo = (options: ConnectionOptions): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', rejectUnauthorized: false, ...options }, () => {
      resolve(socket.getProtocol() ?? '');
      socket.destroy();
    });
    socket.on('error', (error) => resolve('code' in error ? String(error.code) : error.message));
  });

test.skipIf(needs)(
  'with an authority configured, accepts only devices with its certificate (needs dcmtk and openssl)',
  async () => {
    const { authority, place, gateway } = await listening(true);
    const other = createAuthority().issue('stranger', 'IP:127.0.0.1');
    const trusting = ['+cf', authority.ca];

    const known = await runDcmtk(
      'echoscu',
      ...asDevice(authority.issue('device', 'IP:127.0.0.1')),
      ...trusting,
      ...place,
    );
    const nobody = await runDcmtk('echoscu', '+tla', ...trusting, ...place);
    const stranger = await runDcmtk('echoscu', ...asDevice(other), ...trusting, ...place);

    expect([known.status === 0, nobody.status === 0, stranger.status === 0]).toEqual([true, false, false]);
    expect(gateway.logged.map(({ text }) => text)).toContain('TLS with a DIMSE device failed');
    expect(gateway.associations()).toBe(0);
  },
);

test.skipIf(needs)('uses a renewed certificate without a restart (needs dcmtk and openssl)', async () => {
  const { authority, place, files } = await listening(false);
  const renewedBy = createAuthority();
  const trusting = (ca: string) => ['+tla', '+cf', ca];
  expect((await runDcmtk('echoscu', ...trusting(authority.ca), ...place)).status).toBe(0);

  const { cert, key } = renewedBy.issue('gateway', 'IP:127.0.0.1');
  await copyFile(cert, files.DIMSE_TLS_CERT_FILE);
  // The new key is missing, so the old certificate stays in use.
  expect((await runDcmtk('echoscu', ...trusting(authority.ca), ...place)).status).toBe(0);
  await copyFile(key, files.DIMSE_TLS_KEY_FILE);

  expect((await runDcmtk('echoscu', ...trusting(renewedBy.ca), ...place)).status).toBe(0);
});

test.skipIf(needs)(
  'calls a remote archive over TLS only if its certificate matches the address (needs dcmtk and openssl)',
  async () => {
    const authority = createAuthority();
    const { cert, key } = authority.issue('archive', 'IP:127.0.0.1');
    const misnamed = authority.issue('misnamed', 'DNS:other.example.org');
    const own = authority.issue('ours', 'IP:127.0.0.1');
    const dimseTls = { certFile: own.cert, keyFile: own.key, caFile: authority.ca };
    const calling = async (peerCertificate: Certificate, trusted: typeof dimseTls | undefined, isTls = true) => {
      const port = await startStorescp('+tls', peerCertificate.key, peerCertificate.cert, '+cf', authority.ca);
      const outgoing = openOutgoing({
        remoteAllow: readAllowRules(`net=127.0.0.1 ports=${port} protocols=dicom,dicoms`),
        remoteCaFile: undefined,
        remoteTimeoutSeconds: 5,
        dimseTls: trusted,
      });
      const peer = readRemoteAddress({ baseUrl: `dicom${isTls ? 's' : ''}://127.0.0.1:${port}`, aeTitle: 'OTHER' });
      const proposal = { contexts: [{ abstractSyntax: verification, transferSyntaxes: identifierSyntaxes }] };
      const locate: Locate = (...place) => outgoing.address({ id: 1, subdomain: 'north' }, ...place);
      return inAssociation(peer, locate, proposal, noSignal, async (association) =>
        contextOf(association, verification) ? 'answers' : 'does not echo',
      ).catch(({ remoteCause }: RemoteError) => remoteCause);
    };

    expect(await calling({ cert, key }, dimseTls)).toBe('answers');
    expect(await calling(misnamed, dimseTls)).toBe('TLS');
    expect(await calling({ cert, key }, undefined)).toBe('TLS');
    expect(await calling({ cert, key }, dimseTls, false)).not.toBe('answers');
  },
);

test('a dicoms:// address uses the port of DICOM over TLS, and a dicom:// address does not', () => {
  const at = (baseUrl: string) => readRemoteAddress({ baseUrl, aeTitle: 'OTHER' });

  expect(at('dicoms://THEIRS@pacs.example.org')).toMatchObject({ port: 2762, isTls: true });
  expect(at('dicom://THEIRS@pacs.example.org')).toMatchObject({ port: 104, isTls: false });
});

/** Opens and resets connections from a child process, while this process cannot accept any. */
const connectAndReset = (port: number, times: number): void => {
  const script = `
    const { connect } = require('node:net');
    for (let i = 0; i < ${times}; i += 1) {
      const socket = connect(${port}, '127.0.0.1', () => socket.resetAndDestroy());
    }`;
  expect(spawnSync(process.execPath, ['-e', script]).status).toBe(0);
};

test.skipIf(!hasOpenssl)(
  'a connection that is reset before it is accepted frees its place (needs openssl)',
  async () => {
    const { cert, key } = createAuthority().issue('gateway', 'IP:127.0.0.1');
    const world = await createWorld({ DIMSE_TLS_CERT_FILE: cert, DIMSE_TLS_KEY_FILE: key });
    const log = { warn: () => {}, error: () => {} };
    const tls = createTls(world.context.config, { welcome: (socket) => socket.destroy(), log });
    const ended: Promise<unknown>[] = [];
    let places = 0;
    const server = createServer((socket) => {
      places += 1;
      ended.push(socket.closed ? Promise.resolve() : once(socket, 'close'));
      tls.agree(socket, () => {
        places -= 1;
      });
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const address = server.address();

    connectAndReset(typeof address === 'object' && address ? address.port : 0, 10);
    await expect.poll(() => ended.length).toBe(10);
    await Promise.all(ended);

    expect(places).toBe(0);
  },
);
