import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { newUid } from '@radwork/dicom/uid';
import { expect, onTestFinished, test } from 'vitest';
import { storeInstances } from '#imaging/archive/store/store-instances.ts';
import { systemSession } from '#core/access/scope.ts';
import { createAuthority, hasOpenssl } from '#test/certificates.ts';
import { hasDcmtk } from '#test/dcmtk.ts';
import { addDevice, listenForDevices } from '#test/dimse-device.ts';
import { hasOrthanc, startOrthanc } from '#test/orthanc.ts';
import { freePort, untilListening } from '#test/ports.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';
import { arrivedInstancesOf } from './arrived-instances.ts';
import { createDimseSource } from '#imaging/remote-archives/dimse-source.ts';
import type { Locate } from './open-association.ts';
import { readRemoteAddress } from './remote-address.ts';

// C-MOVE uses two associations, one in each direction. With TLS, both use TLS, and both sides show a certificate.

/**
 * Starts a gateway and an Orthanc that both require client certificates. Orthanc accepts C-GET contexts but does not
 * allow us to use C-GET.
 */
const bothInTls = async () => {
  const authority = createAuthority();
  const own = authority.issue('gateway', 'IP:127.0.0.1');
  const peerCertificate = authority.issue('orthanc', 'IP:127.0.0.1');
  const world = await createWorld({
    REMOTE_ALLOW: 'net=127.0.0.1 ports=1024-65535 protocols=dicoms',
    DIMSE_TLS_CERT_FILE: own.cert,
    DIMSE_TLS_KEY_FILE: own.key,
    DIMSE_TLS_CA_FILE: authority.ca,
  });
  const gateway = await listenForDevices(world);
  onTestFinished(gateway.close);
  const tenant = await world.newTenant();
  const { called } = await addDevice(world, tenant, { calling_ae_title: 'ORTHANC' });
  const orthanc = await startOrthanc({
    configuration: {
      DicomTlsEnabled: true,
      DicomTlsRemoteCertificateRequired: true,
      DicomTlsCertificate: peerCertificate.cert,
      DicomTlsPrivateKey: peerCertificate.key,
      DicomTlsTrustedCertificates: authority.ca,
      DicomAlwaysAllowGet: false,
      DicomModalities: {
        radwork: { AET: called, Host: '127.0.0.1', Port: gateway.port, UseDicomTls: true, AllowGet: false },
      },
    },
  });
  onTestFinished(() => orthanc.stop());
  return { authority, world, gateway, tenant, called, orthanc };
};

/** A study of one uncompressed and one compressed image. */
const newStudy = () => {
  const uids = { StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), PatientID: newUid().slice(-12) };
  const jpegLossless = { transferSyntaxUID: '1.2.840.10008.1.2.4.70', pixelData: [Buffer.alloc(600_000, 7)] };
  const files = [{}, jpegLossless].map((form, index) =>
    image({ ...uids, SOPInstanceUID: newUid(), InstanceNumber: index + 1, Rows: 600, Columns: 600 }, form),
  );
  return { ...uids, files };
};

const dataSetOf = (file: Buffer): string => file.subarray(144 + file.readUInt32LE(140)).toString('base64');

const needs = !hasDcmtk || !hasOpenssl || !hasOrthanc;

test.skipIf(needs)(
  'a device that uses TLS sends a study to another device by C-MOVE over TLS (skipped without dcmtk, openssl and Orthanc)',
  async () => {
    const { authority, world, tenant, called, orthanc } = await bothInTls();
    const { StudyInstanceUID, files } = newStudy();
    const uploads = files.map(({ name, bytes }) => ({ name, body: Readable.from([bytes]) }));
    const { stored } = await storeInstances(world.context, systemSession(tenant.id), uploads);
    const { cert, key } = authority.issue('workstation', 'IP:127.0.0.1');
    const folder = await mkdtemp(join(tmpdir(), 'radwork-tls-move-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const port = await freePort();
    const tls = ['+tls', key, cert, '+cf', authority.ca];
    const workstation = spawn('storescp', ['+B', '+xa', '-od', folder, ...tls, String(port)], { stdio: 'ignore' });
    onTestFinished(() => void workstation.kill('SIGKILL'));
    await untilListening(port);
    const { calling } = await addDevice(world, tenant, { called_ae_title: called, host: '127.0.0.1', port });

    const query = { Level: 'Study', Query: { StudyInstanceUID } };
    const queryResponse = await orthanc.ask('/modalities/radwork/query', {
      method: 'POST',
      body: JSON.stringify(query),
    });
    const { ID }: { ID: string } = JSON.parse(await queryResponse.text());
    const retrieving = { TargetAet: calling, Synchronous: true };
    await orthanc.ask(`/queries/${ID}/retrieve`, { method: 'POST', body: JSON.stringify(retrieving) });

    const arrived = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name))));
    expect(stored).toHaveLength(2);
    expect(arrived.map(dataSetOf).toSorted()).toEqual(files.map(({ bytes }) => dataSetOf(bytes)).toSorted());
  },
  60_000,
);

test.skipIf(needs)(
  'an import falls back to C-MOVE over TLS when the archive aborts C-GET (skipped without dcmtk, openssl and Orthanc)',
  async () => {
    const { world, tenant, called, orthanc } = await bothInTls();
    const { StudyInstanceUID, files } = newStudy();
    await orthanc.upload(files.map(({ bytes }) => Uint8Array.from(bytes)));
    const baseUrl = `dicoms://ORTHANC@127.0.0.1:${orthanc.dicomPort}/${called}`;
    const locate: Locate = (...place) => world.context.outgoing.address(tenant, ...place);
    const source = createDimseSource({
      peer: readRemoteAddress({ baseUrl, aeTitle: 'Archive' }),
      locate,
      mostInstanceBytes: 1 << 30,
      arrivals: arrivedInstancesOf(world.context, tenant.id),
    });
    const { signal } = new AbortController();

    const { instances } = await source.listInstances(StudyInstanceUID, signal);
    const arrived: string[] = [];
    for await (const { body } of source.retrieve(StudyInstanceUID, instances, signal)) {
      const chunks: Buffer[] = [];
      for await (const chunk of body) chunks.push(Buffer.from(chunk));
      arrived.push(dataSetOf(Buffer.concat(chunks)));
    }

    expect(arrived.toSorted()).toEqual(files.map(({ bytes }) => dataSetOf(bytes)).toSorted());
  },
  60_000,
);
