import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { closingBoundary, partHeader } from '@radwork/dicom/multipart';
import { newUid } from '@radwork/dicom/uid';
import { simpleInstance } from '@radwork/phantom/instance';
import type { ArrivalServer } from './arrival-server.ts';

const boundary = 'radwork-bench-arrivals-radwork-bench';

/** CT images of one new study, of 526 kB each. */
export const newImages = (count: number): Buffer[] => {
  const study = { StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), PatientID: newUid() };
  return Array.from({ length: count }, (_, index) =>
    simpleInstance({ ...study, SOPInstanceUID: newUid(), InstanceNumber: index + 1, Rows: 512, Columns: 512 }),
  );
};

/** Sends files in one STOW-RS request. Throws unless all are stored. Uses Node's plain client, which is the cheapest. */
export const stow = (
  server: Pick<ArrivalServer, 'address'>,
  token: string,
  agent: Agent,
  files: readonly Buffer[],
): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': `multipart/related; type="application/dicom"; boundary=${boundary}`,
    };
    const sending = request(`${server.address}/dicom-web/studies`, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.on('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`A file was answered ${response.statusCode}`)),
      );
    });
    sending.on('error', reject);
    for (const file of files) {
      sending.write(partHeader({ boundary, contentType: 'application/dicom' }));
      sending.write(file);
    }
    sending.end(closingBoundary(boundary));
  });

/** Sends each request of `requests` in turn from `clients` clients. Returns the milliseconds of each. */
export const stowFrom = async (
  server: Pick<ArrivalServer, 'address'>,
  token: string,
  requests: readonly (readonly Buffer[])[],
  clients: number,
): Promise<number[]> => {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const remaining = requests.values();
  const times: number[] = [];
  const sendOneAfterAnother = async () => {
    for (const files of remaining) {
      const started = performance.now();
      await stow(server, token, agent, files);
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: clients }, sendOneAfterAnother));
  agent.destroy();
  return times;
};

/** Sends files by DCMTK's storescu, over as many associations at once. */
export const storeFrom = async (
  server: ArrivalServer,
  files: readonly Buffer[],
  associations: number,
): Promise<number> => {
  const folder = await mkdtemp(join(tmpdir(), 'radwork-bench-files-'));
  try {
    const paths = files.map((_, index) => join(folder, `${index}.dcm`));
    for (const [index, path] of paths.entries()) await writeFile(path, files[index] ?? '');
    const started = performance.now();
    await Promise.all(
      Array.from({ length: associations }, (_, own) =>
        promisify(execFile)(
          'storescu',
          ['-aet', 'BENCH', '-aec', 'RADWORK', '127.0.0.1', `${server.dimsePort}`].concat(
            paths.filter((_path, index) => index % associations === own),
          ),
          { env: { ...process.env, TCP_NODELAY: '1' } },
        ),
      ),
    );
    return performance.now() - started;
  } finally {
    await rm(folder, { recursive: true });
  }
};
