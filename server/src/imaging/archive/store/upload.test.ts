import { request } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { incomingFiles } from '#test/incoming-files.ts';
import { form, image } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';
import { bodyOf, UploadStalled } from '#core/uploads/upload-stream.ts';

const world = await createWorld();
const address = await world.app.listen({ port: 0, host: '127.0.0.1' });

const incoming = () => incomingFiles(world);

test('an upload interrupted by its sender leaves no files', async () => {
  const person = await world.signIn();
  const { payload, headers } = form(image(), image());
  const upload = request(`${address}/api/stow-rs/studies`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${person.token}`, 'content-length': payload.length },
  });
  upload.on('error', () => {});

  upload.write(payload.subarray(0, -300));
  await expect.poll(async () => (await incoming()).length).toBeGreaterThan(0);
  upload.destroy();

  await expect.poll(incoming).toEqual([]);
  const stored = await person.inScope(({ db }) => db.selectFrom('instances').select('id').execute());
  expect(stored).toEqual([]);
});

test('refuses a user without permission before reading the upload', async () => {
  const person = await world.signIn('REFERRING_PHYSICIAN');
  const { payload, headers } = form(image());

  const status = await new Promise((resolve, reject) => {
    const upload = request(`${address}/dicom-web/studies`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${person.token}`, 'content-length': 1e9 },
    });
    upload.on('response', ({ statusCode }) => {
      resolve(statusCode);
      upload.destroy();
    });
    upload.on('error', reject);
    upload.write(payload);
  });

  expect(status).toBe(403);
});

test('cancels an upload whose sender stops sending', async () => {
  const body = new PassThrough();
  body.write('half a file');

  const chunks: string[] = [];
  const reading = (async () => {
    for await (const chunk of bodyOf(body, 20)) chunks.push(chunk.toString());
  })();

  await expect(reading).rejects.toThrow(UploadStalled);
  expect(chunks).toEqual(['half a file']);
});

test('a slow server does not cancel the upload', async () => {
  const body = new PassThrough();
  body.write('first');
  const reading = bodyOf(body, 20);
  await reading.next();

  await new Promise((wake) => {
    setTimeout(wake, 60);
  });
  body.end('second');

  expect((await reading.next()).value?.toString()).toBe('second');
});
