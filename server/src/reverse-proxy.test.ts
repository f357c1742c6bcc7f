import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Endpoint, Reply } from '@radwork/contract/core/endpoint';
import { reports } from '@radwork/contract/reading/reports';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { hasCaddy, startProxy } from '#test/caddy.ts';
import { eventually } from '#test/eventually.ts';
import { startFaultyArchive } from '#test/faulty-archive.ts';
import { newImages } from '#test/remote-images.ts';
import { importSteps, reachingThisMachine, storedInstances } from '#test/import-steps.ts';
import { reportSteps, signature } from '#test/report-steps.ts';
import { startS3Server } from '#test/s3-server.ts';
import { addressOf, startServer } from '#test/server-process.ts';
import { related } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

// Tests what a client of the proxy sees while one of the two servers is killed.

const s3 = await startS3Server();
afterAll(s3.remove);
const settings = {
  ...reachingThisMachine,
  REMOTE_TIMEOUT_SECONDS: '30',
  SECRET_KEY: 'one secret for both servers behind it',
};
const world = await createWorld({ ...settings, STORAGE_URL: s3.url() });
const { configure, start, ended } = importSteps(world);
const { newStudy } = reportSteps(world);

const startOne = async () => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'radwork-behind-'));
  const server = startServer({
    ...settings,
    DATABASE_URL: world.url.replace('@/', '@localhost/'),
    STORAGE_URL: s3.url(),
    TRUST_PROXY: '1',
    DATA_DIR,
  });
  onTestFinished(async () => {
    server.child.kill('SIGKILL');
    await server.ended;
    await rm(DATA_DIR, { recursive: true, force: true });
  });
  return { address: await addressOf(server), process: server };
};

/** A client that repeats calls without a reply, because these calls may or may not have taken effect. */
const createClient = (proxy: string, { token }: Person) => {
  let unanswered = 0;

  /** Returns the reply to a call. Undefined when its result is unknown. */
  const once = async (path: string, init: RequestInit = {}): Promise<Response | undefined> => {
    const headers = { authorization: `Bearer ${token}`, ...Object.fromEntries(new Headers(init.headers)) };
    try {
      const answer = await fetch(`${proxy}${path}`, { ...init, headers });
      // Reads the whole body, because a killed server may have sent only a part of it.
      const body = await answer.arrayBuffer();
      if (![502, 503, 504].includes(answer.status)) return new Response(body, answer);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    unanswered += 1;
    await wait(100);
    return undefined;
  };

  const persistently = async (path: string, init?: RequestInit): Promise<Response> => {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const answer = await once(path, init);
      if (answer) return answer;
    }
    throw new Error(`Nobody answers at ${path}`);
  };

  const pathOf = ({ path }: Endpoint, id: string) => `/api${path.replace(':id', id)}`;

  const replyOf = async <E extends Endpoint>(_endpoint: E, answer: Response): Promise<Reply<E>> => {
    const { data, message } = await answer.json();
    if (!answer.ok) throw new Error(`${answer.status}: ${message}`);
    return data;
  };

  return {
    unanswered: () => unanswered,
    persistently,
    read: async <E extends Endpoint>(endpoint: E, id: string) =>
      replyOf(endpoint, await persistently(pathOf(endpoint, id))),
    /** Returns the reply, or undefined if none came. Throws when the server refuses. */
    tryOnce: async <E extends Endpoint>(endpoint: E, id: string, body: object) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await once(pathOf(endpoint, id), { method: 'POST', headers, body: JSON.stringify(body) });
      return answer && replyOf(endpoint, answer);
    },
  };
};

type Client = ReturnType<typeof createClient>;

const upload = async (client: Client, files: readonly { bytes: Buffer }[]): Promise<void> => {
  for (const { bytes } of files) {
    const { payload, headers } = related(bytes);
    const body = new Uint8Array(payload);
    const answer = await client.persistently('/dicom-web/studies', { method: 'POST', headers, body });
    if (answer.status !== 200) throw new Error(`An upload was answered with ${answer.status}: ${await answer.text()}`);
  }
};

/** Saves texts one after another and signs the last. After a missing reply, checks which text is stored. */
const write = async (client: Client, study: { id: string; patientId: string }, texts: readonly string[]) => {
  const onRecord = async () => (await client.read(reports.ofStudy, study.id)).report ?? undefined;
  let report = await onRecord();
  for (const content of texts) {
    while (report?.content !== content) {
      const saved = report
        ? await client.tryOnce(reports.save, report.id, { content, revision: report.revision })
        : await client.tryOnce(reports.create, study.id, { content, patientId: study.patientId });
      report = saved ?? (await onRecord());
    }
  }
  while (report && report.status !== 'FINALIZED') {
    const { id, content, revision } = report;
    const signed = await client.tryOnce(reports.finalize, id, { content, revision, signatureData: signature });
    report = signed ?? (await onRecord());
  }
  return report;
};

/** Counts how often each text of a report is stored as a version, and how often the report was signed. */
const onRecordOf = (person: Person, reportId: string) =>
  person.inScope(async ({ db }) => {
    const versions = await db
      .selectFrom('report_versions')
      .select('content')
      .where('report_id', '=', reportId)
      .orderBy('version')
      .execute();
    const signed = await db
      .selectFrom('audit_entries')
      .select('id')
      .where('action', '=', 'report.finalize')
      .where('entity_id', '=', reportId)
      .execute();
    return { texts: versions.map(({ content }) => content), signed: signed.length };
  });

test.skipIf(!hasCaddy)(
  'killing one of two servers during uploads, reports and an import loses and repeats no data (skipped without caddy)',
  { timeout: 180_000 },
  async () => {
    const servers = await Promise.all([startOne(), startOne()]);
    const proxy = await startProxy(servers.map(({ address }) => address));
    const person = await world.signIn();
    const uploaded = [newImages(1, 40), newImages(1, 40)];
    const imported = newImages(12, 5);
    const archive = await startFaultyArchive(imported);
    onTestFinished(archive.stop);
    const studies = await Promise.all([newStudy(person), newStudy(person)]);
    const texts = Array.from({ length: 30 }, (_, index) => `<p>Line ${index} of the report.</p>`);
    const client = createClient(proxy, person);

    const job = await start(person, await configure(person, archive.url), imported[0]?.study ?? '');
    const strike = async () => {
      await eventually(() => expect(archive.asked.length).toBeGreaterThan(3));
      servers[0]?.process.child.kill('SIGKILL');
    };
    const [[one, other]] = await Promise.all([
      Promise.all(studies.map((study) => write(client, study, texts))),
      ...uploaded.map((files) => upload(client, files)),
      strike(),
    ]);
    const done = await ended(person, job);

    expect(client.unanswered()).toBeGreaterThan(0);
    for (const files of [...uploaded, imported]) {
      const expected = files.map(({ instance }) => instance).toSorted();
      expect(await storedInstances(world, person, files[0]?.study ?? '')).toEqual(expected);
    }
    for (const report of [one, other]) {
      expect(report).toMatchObject({ status: 'FINALIZED', content: texts.at(-1) });
      expect(await onRecordOf(person, report?.id ?? '')).toEqual({
        // The signature creates a separate version.
        texts: [...texts, texts.at(-1)],
        signed: 1,
      });
    }
    expect(done).toMatchObject({ state: 'DONE', expected: 60, received: 60, failed: 0 });
  },
);
