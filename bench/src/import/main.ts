import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { ImportJob } from '@radwork/contract/imaging/import-jobs';
import { type DicomJson, textOf } from '@radwork/dicom/dataset';
import { largeInstances } from '@radwork/phantom/instance';
import { hasOrthanc, type Orthanc, startOrthanc } from '../../../server/test/orthanc.ts';
import { watchingMemory } from '../memory.ts';
import { type Server, startServer } from '../server.ts';

const [instances = 1000, size = 512] = process.argv.slice(2).map(Number);
const comparedAtOnce = 4;

const line = (name: string, value: string) => console.log(`  ${name.padEnd(36)}${value}`);

const call = async <T>({ address, token }: Server, path: string, body?: object): Promise<T> => {
  const answer = await fetch(`${address}${path}`, {
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${text}`);
  return JSON.parse(text);
};

type Enveloped<T> = { data: T };

/** Imports a study from Orthanc and waits for the end. */
const importFrom = async (server: Server, orthanc: Orthanc, jobId: string): Promise<ImportJob> => {
  const connectionForm = { host: '127.0.0.1', port: orthanc.port };
  const { data: connection } = await call<Enveloped<{ id: string }>>(server, '/api/remote/connections', connectionForm);
  const request = { jobId, remoteConfigId: connection.id, parameters: 'None' };
  let { data: job } = await call<Enveloped<ImportJob>>(server, '/api/queue-jobs', request);
  while (job.state === 'QUEUED' || job.state === 'RUNNING') {
    await wait(100);
    ({ data: job } = await call<Enveloped<ImportJob>>(server, `/api/queue-jobs/${job.id}`));
  }
  return job;
};

const sha256 = (bytes: ArrayBuffer) => createHash('sha256').update(Buffer.from(bytes)).digest('hex');

/** Returns the hashes of many files. Fetches a few files at a time. */
const hashesOf = async (addresses: readonly string[], headers: Record<string, string>): Promise<Set<string>> => {
  const hashes = new Set<string>();
  const remaining = addresses.values();
  const hashOneAfterAnother = async () => {
    for (const address of remaining) {
      const answer = await fetch(address, { headers });
      if (!answer.ok) throw new Error(`${address} was answered ${answer.status}`);
      hashes.add(sha256(await answer.arrayBuffer()));
    }
  };
  await Promise.all(Array.from({ length: comparedAtOnce }, hashOneAfterAnother));
  return hashes;
};

const hashesThere = async ({ ask, origin }: Orthanc): Promise<Set<string>> => {
  const ids: string[] = JSON.parse(await (await ask('/instances')).text());
  const addresses = ids.map((id) => `${origin}/instances/${id}/file`);
  return hashesOf(addresses, {});
};

const hashesHere = async (server: Server, study: string): Promise<Set<string>> => {
  const storedInstances = await call<DicomJson[]>(server, `/api/qido-rs/studies/${study}/instances?limit=100000`);
  const addresses = storedInstances.map((instance) => {
    const [series = '', uid = ''] = [textOf(instance, 'SeriesInstanceUID'), textOf(instance, 'SOPInstanceUID')];
    return `${server.address}/api/wado-rs/studies/${study}/series/${series}/instances/${uid}`;
  });
  const accept = 'application/dicom; transfer-syntax=*';
  return hashesOf(addresses, { accept, authorization: `Bearer ${server.token}` });
};

const studyIn = async ({ ask }: Orthanc): Promise<string> => {
  const [study]: { MainDicomTags: { StudyInstanceUID: string } }[] = JSON.parse(
    await (await ask('/studies?expand')).text(),
  );
  return study?.MainDicomTags.StudyInstanceUID ?? '';
};

const measure = async (server: Server, orthanc: Orthanc) => {
  let bytes = 0;
  for (const file of largeInstances(instances, size)) {
    bytes += file.bytes.length;
    await orthanc.upload([Uint8Array.from(file.bytes)]);
  }
  const study = await studyIn(orthanc);
  const started = performance.now();
  const [job, memory] = await watchingMemory(server.pid, () => importFrom(server, orthanc, study));
  const seconds = (performance.now() - started) / 1000;

  console.log(`\nImport of ${instances} images of ${size} x ${size} x 16 bit from Orthanc`);
  line('ended', `${job.state}: ${job.received} of ${job.expected ?? 0} ${job.cause}`);
  line('seconds', seconds.toFixed(1));
  line('instances a second', (job.received / seconds).toFixed(0));
  line('MB a second', (bytes / 1e6 / seconds).toFixed(0));
  line('growth of the server', `${memory.growth.toFixed(0)} MB`);
  const [storedHashes, remoteHashes] = [await hashesHere(server, study), await hashesThere(orthanc)];
  const identical = [...storedHashes].filter((hash) => remoteHashes.has(hash)).length;
  line('byte-identical', `${identical} of ${remoteHashes.size}`);
};

const withServer = async (orthanc: Orthanc) => {
  const server = await startServer({ REMOTE_ALLOW: 'net=127.0.0.0/8 ports=1-65535 protocols=http' });
  await measure(server, orthanc).finally(server.stop);
};

if (hasOrthanc) {
  const orthanc = await startOrthanc();
  await withServer(orthanc).finally(() => orthanc.stop());
} else {
  console.log('Orthanc is not installed: apt-get install orthanc orthanc-dicomweb');
}
