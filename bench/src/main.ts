import { availableParallelism } from 'node:os';
import { type DicomJson, textOf } from '@radwork/dicom/dataset';
import { largeInstances } from '@radwork/phantom/instance';
import type { PhantomFile } from '@radwork/phantom/study';
import { watchingMemory } from './memory.ts';
import { requestAll } from './requests.ts';
import { type Server, startServer } from './server.ts';
import { upload } from './upload.ts';

const instances = 300;
const size = 512;

const line = (name: string, value: string) => console.log(`  ${name.padEnd(36)}${value}`);
const rounded = (value: number) => value.toFixed(value < 10 ? 1 : 0);

const megabytesOf = (files: readonly PhantomFile[]) => files.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1e6;

/** Uploads files in requests of `perRequest` files, `atOnce` requests in parallel. */
const measureUpload = async (
  server: Server,
  name: string,
  files: PhantomFile[],
  perRequest: number,
  atOnce: number,
) => {
  const requests = Array.from({ length: Math.ceil(files.length / perRequest) }, (_, index) =>
    files.slice(index * perRequest, (index + 1) * perRequest),
  ).values();
  const sendOneAfterAnother = async () => {
    for (const request of requests) await upload(server, request);
  };
  const started = performance.now();
  const [, memory] = await watchingMemory(server.pid, () =>
    Promise.all(Array.from({ length: atOnce }, sendOneAfterAnother)),
  );
  const seconds = (performance.now() - started) / 1000;

  console.log(`\n${name}`);
  line('instances a second', rounded(files.length / seconds));
  line('MB a second', rounded(megabytesOf(files) / seconds));
  line('memory of the server', `${rounded(memory.before)} MB before, ${rounded(memory.highest)} MB at most`);
  line('growth', `${rounded(memory.growth)} MB`);
};

/** The paths of all stored instances and of their series. */
const storedPaths = async ({ address, token }: Server) => {
  const response = await fetch(`${address}/api/qido-rs/instances?PatientID=SIMPLE-1`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const results: DicomJson[] = JSON.parse(await response.text());
  const uid = (result: DicomJson, keyword: string) => textOf(result, keyword) ?? '';
  const seriesOf = (result: DicomJson) =>
    `/api/wado-rs/studies/${uid(result, 'StudyInstanceUID')}/series/${uid(result, 'SeriesInstanceUID')}`;
  return {
    series: [...new Set(results.map(seriesOf))],
    instances: results.map((result) => `${seriesOf(result)}/instances/${uid(result, 'SOPInstanceUID')}`),
  };
};

const measureRequests = async (server: Server, name: string, paths: string[], atOnce: number) => {
  const { perSecond, megabytesPerSecond } = await requestAll(server, paths, atOnce);
  line(`${name}, ${atOnce} at once`, `${rounded(perSecond)} a second, ${rounded(megabytesPerSecond)} MB a second`);
};

const server = await startServer();
try {
  console.log(
    `Node ${process.version}, ${availableParallelism()} cores, client and server and database on this machine`,
  );
  const inOne = [...largeInstances(instances, size)];
  await measureUpload(server, `${instances} images of ${size} x ${size} x 16 bit in one request`, inOne, instances, 1);
  // A set of another length has other UIDs, which are not stored yet. So this makes one instance more and drops the
  // first.
  const inMany = [...largeInstances(instances + 1, size)].slice(1);
  await measureUpload(server, 'As many in requests of 10, 4 at once', inMany, 10, 4);

  const { series, instances: paths } = await storedPaths(server);
  console.log('\nReading them back');
  for (const atOnce of [1, 8]) {
    await measureRequests(
      server,
      'single frames',
      paths.map((path) => `${path}/frames/1`),
      atOnce,
    );
  }
  const metadata = Array.from({ length: 100 }, () => series.map((path) => `${path}/metadata`)).flat();
  await measureRequests(server, 'metadata of a series', metadata, 1);
  await measureRequests(
    server,
    'pictures, made',
    paths.slice(0, 100).map((path) => `${path}/rendered?viewport=256,256`),
    1,
  );
  await measureRequests(
    server,
    'pictures, kept',
    paths.slice(0, 100).map((path) => `${path}/rendered?viewport=256,256`),
    1,
  );
} finally {
  await server.stop();
}
