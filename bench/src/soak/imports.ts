import { setTimeout as wait } from 'node:timers/promises';
import { importJob, importJobs, isActive } from '@radwork/contract/imaging/import-jobs';
import { remoteStudies } from '@radwork/contract/imaging/remote-studies';
import { z } from 'zod';
import { startFaultyArchive } from '../../../server/test/faulty-archive.ts';
import { newImages } from '../../../server/test/remote-images.ts';
import type { Ledger } from './outage-ledger.ts';
import { request, type Installation } from './reading-users.ts';

export type RemoteArchive = Awaited<ReturnType<typeof startFaultyArchive>>;

/** A remote archive with studies to import. When it is chosen as the fault, it fails, stalls, or cuts its responses. */
export const startRemoteArchive = (): Promise<RemoteArchive> =>
  startFaultyArchive(Array.from({ length: 200 }, () => newImages(2, 5)).flat());

const studiesOf = ({ kept }: RemoteArchive) => Map.groupBy(kept, ({ study }) => study);

/** Imports one study after another, retries incomplete ones, and returns the complete ones. */
export const importUntil = async (
  signal: AbortSignal,
  { installation, archive, ledger }: { installation: Installation; archive: RemoteArchive; ledger: Ledger },
): Promise<string[]> => {
  const done: string[] = [];

  const post = async <T>(path: string, body: object, reply: z.ZodType<T>): Promise<T | undefined> => {
    const from = performance.now();
    const headers = { 'content-type': 'application/json' };
    const answer = await request(installation, `/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!ledger.note('import: asked for', from, answer.status)) return undefined;
    return z.object({ data: reply }).parse(JSON.parse(answer.body.toString())).data;
  };
  const read = async (id: string) => {
    const answer = await request(installation, `/api${importJobs.read.path.replace(':id', id)}`);
    return answer.status === 200
      ? z.object({ data: importJob }).parse(JSON.parse(answer.body.toString())).data
      : undefined;
  };

  /** Repeats until the job is done. Returns undefined when the soak ends first. */
  const follow = async (id: string): Promise<z.infer<typeof importJob> | undefined> => {
    for (;;) {
      const job = await read(id);
      if (job?.state === 'DONE') return job;
      if (signal.aborted) return undefined;
      if (job && !isActive(job.state)) await post(importJobs.retry.path.replace(':id', id), {}, importJob);
      await wait(300);
    }
  };

  const connect = async (): Promise<string> => {
    const body = { host: '127.0.0.1', port: archive.port, path: '/dicom-web' };
    for (;;) {
      const connection = await post(remoteStudies.connect.path, body, z.object({ id: z.string() }));
      if (connection) return connection.id;
      await wait(300);
    }
  };

  const remoteConfigId = await connect();
  for (const study of studiesOf(archive).keys()) {
    if (signal.aborted) break;
    const job = await post(importJobs.create.path, { jobId: study, remoteConfigId }, importJob);
    const ended = job && (await follow(job.id));
    if (ended) done.push(study);
    await wait(2000);
  }
  return done;
};

/** Imported studies whose instances differ from those of the remote archive. */
export const missingImports = async (installation: Installation, archive: RemoteArchive, done: readonly string[]) => {
  const missing: string[] = [];
  for (const study of done) {
    const { body } = await request(installation, `/dicom-web/studies/${study}/instances`);
    const instances = z
      .array(z.object({ '00080018': z.object({ Value: z.array(z.string()) }) }))
      .parse(JSON.parse(body.toString()));
    const received = instances.flatMap((instance) => instance['00080018'].Value).toSorted();
    const sent = (studiesOf(archive).get(study) ?? []).map(({ instance }) => instance).toSorted();
    if (received.join() !== sent.join()) missing.push(study);
  }
  return missing;
};
