import { join } from 'node:path';
import { Readable } from 'node:stream';
import { atlas } from '@radwork/contract/knowledge/atlas';
import { largestStoredFile } from '@radwork/contract/imaging/stored-files';
import { closingBoundary } from '@radwork/dicom/multipart';
import { expect, onTestFinished, test } from 'vitest';
import { verifyArchive } from './imaging/archive/upkeep/verify-archive.ts';
import type { Context } from './core/context.ts';
import { incomingFiles } from '#test/incoming-files.ts';
import { bytesOf } from '#test/library-files.ts';
import { startScanner } from '#test/virus-scanner.ts';
import { form, type TestFile } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';
import { createApp } from './app.ts';

const world = await createWorld();
const { context } = world;

const entry = { field: 'atlas', value: JSON.stringify({ title: 'Case', author: 'Dr Ito' }) };
const document: TestFile = { name: 'a.pdf', bytes: bytesOf.pdf };

/** Creates a server on the same data with other settings. */
const serverWith = async (config: Partial<Context['config']>) => {
  const app = await createApp({ ...context, config: { ...context.config, ...config } }, join(world.dataDir, 'no-web'));
  onTestFinished(() => app.close());
  return (person: Person, ...files: TestFile[]) => {
    const { payload, headers } = form(entry, ...files);
    const authorization = `Bearer ${person.token}`;
    return app.inject({ method: 'POST', url: '/api/atlas', payload, headers: { ...headers, authorization } });
  };
};

const expectNothingStored = async (person: Person) => {
  expect((await person.send(atlas.list)).data.totalElements).toBe(0);
  const hashes: string[] = [];
  for await (const { sha256 } of context.blobs.list(person.tenant.id)) hashes.push(sha256);
  expect(hashes).toEqual([]);
  expect(await incomingFiles(context.config)).toEqual([]);
  expect((await verifyArchive(context, { tenant: person.tenant.subdomain }, () => {})).differences).toBe(0);
};

/** A form with one PDF of this size. The PDF is generated while it is sent. */
const formOfSize = (bytes: number) => {
  const boundary = 'b';
  const part = (header: string) =>
    Buffer.from(`\r\n--${boundary}\r\nContent-Disposition: form-data; ${header}\r\n\r\n`);
  const zeros = Buffer.alloc(1 << 20);
  function* parts() {
    yield part('name="atlas"');
    yield Buffer.from(entry.value);
    yield part('name="files"; filename="large.pdf"');
    yield bytesOf.pdf;
    for (let remaining = bytes - bytesOf.pdf.length; remaining > 0; remaining -= zeros.length)
      yield zeros.subarray(0, remaining);
    yield closingBoundary(boundary);
  }
  return {
    payload: Readable.from(parts()),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
};

const sendOfSize = (person: Person, bytes: number) =>
  person.request({ method: 'POST', url: '/api/atlas', ...formOfSize(bytes) });

test('accepts a file of 100 MB and refuses a file with one byte more', { timeout: 120_000 }, async () => {
  const person = await world.signIn();

  const larger = await sendOfSize(person, largestStoredFile + 1);
  await expectNothingStored(person);
  const largest = await sendOfSize(person, largestStoredFile);

  expect(larger.statusCode).toBe(422);
  expect(larger.json()).toMatchObject({
    message: 'large.pdf: The file is larger than 100 MB. Nothing was stored.',
    errors: [{ field: 'files.0', message: 'large.pdf: The file is larger than 100 MB' }],
  });
  expect(largest.json()).toMatchObject({ code: 200, data: { files: [{ size: 104_857_600 }] } });
});

test('refuses files when the disk has less free space than configured', async () => {
  const person = await world.signIn();
  const send = await serverWith({ freeDiskBytes: Number.MAX_SAFE_INTEGER });

  const answer = await send(person, document);

  expect(answer.statusCode).toBe(507);
  expect(answer.json()).toMatchObject({
    error: 'store.full',
    message: 'The server is out of storage space. Nothing was stored.',
  });
  await expectNothingStored(person);
});

test('refuses an infected file, names it and accepts the other files', async () => {
  const person = await world.signIn();
  const scanner = await startScanner((content) =>
    content.includes('EICAR') ? 'stream: Eicar-Test FOUND' : 'stream: OK',
  );
  const send = await serverWith({ scanner: { ...scanner.address, seesImages: false } });
  const infected = { name: 'b.pdf', bytes: Buffer.concat([bytesOf.pdf, Buffer.from('EICAR')]) };

  const refused = await send(person, document, infected);
  await expectNothingStored(person);
  const stored = await send(person, document);

  expect(refused.statusCode).toBe(422);
  expect(refused.json().errors).toEqual([{ field: 'files.1', message: 'b.pdf: The virus scanner found a threat' }]);
  expect(stored.statusCode).toBe(200);
});

test('refuses files while the malware scanner is unreachable', async () => {
  const person = await world.signIn();
  const scanner = await startScanner(() => 'stream: OK');
  scanner.stop();
  const send = await serverWith({ scanner: { ...scanner.address, seesImages: false } });

  const answer = await send(person, document);

  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({ error: 'scanner.away' });
  await expectNothingStored(person);
});
