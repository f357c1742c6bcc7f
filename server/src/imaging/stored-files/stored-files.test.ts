import { Readable } from 'node:stream';
import { atlas } from '@radwork/contract/knowledge/atlas';
import { sql } from 'kysely';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { sweepTenant } from '#imaging/archive/upkeep/sweep-tenant.ts';
import { verifyArchive } from '#imaging/archive/upkeep/verify-archive.ts';
import { agreeOnStore } from '#core/installation/installation.ts';
import { storeAs } from '#test/archive-calls.ts';
import { incomingFiles } from '#test/incoming-files.ts';
import { bytesOf, sendForm } from '#test/library-files.ts';
import { form, image, type TestFile } from '#test/multipart-upload.ts';
import { translatedApp } from '#test/translated-app.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
await agreeOnStore(world.owner, world.context.blobs);
const { context } = world;

const entry = { title: 'Case', author: 'Dr Ito' };

const add = async (person: Person, ...files: TestFile[]) =>
  (await sendForm(person, 'POST', '/atlas', { part: 'atlas', body: entry, files })).data;

const get = ({ request }: Person, id: string, headers: Record<string, string> = {}, what = 'download') =>
  request({ method: 'GET', url: `/api/files/${id}/${what}`, headers });

const hashesIn = async ({ tenant }: Person): Promise<string[]> => {
  const hashes: string[] = [];
  for await (const { sha256 } of context.blobs.list(tenant.id)) hashes.push(sha256);
  return hashes;
};

const differencesOf = async ({ tenant }: Person): Promise<string[]> => {
  const differences: string[] = [];
  await verifyArchive(context, { tenant: tenant.subdomain }, ({ what }) => differences.push(what));
  return differences;
};

test('downloads a file unchanged under its own name, never cached and never as active content', async () => {
  const person = await world.signIn();
  const { files } = await add(
    person,
    { name: 'Übersicht.pdf', bytes: bytesOf.pdf },
    { name: 'image.dcm', bytes: image().bytes },
  );

  const document = await get(person, files[0].id);
  expect(document.rawPayload.equals(bytesOf.pdf)).toBe(true);
  expect(document.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `inline; filename="Ubersicht.pdf"; filename*=UTF-8''%C3%9Cbersicht.pdf`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': `sandbox; default-src 'none'`,
    'cache-control': 'private, no-store',
    'accept-ranges': 'bytes',
  });
  const dicom = await get(person, files[1].id);
  expect(dicom.headers['content-disposition']).toMatch(/^attachment; filename="image.dcm"/);
  expect(dicom.headers['content-type']).toBe('application/dicom');
});

const actionsOf = async (person: Person): Promise<string[]> => {
  await context.auditReads.flush();
  const rows = await person.inScope(({ db }) =>
    db
      .selectFrom('audit_entries')
      .select(['action', 'entity_id'])
      .where('entity', '=', 'stored_file')
      .orderBy('id')
      .execute(),
  );
  return rows.map(({ action, entity_id }) => `${action} ${entity_id}`);
};

test.each(['bytes=1-', 'bytes=-500000', 'bytes=2-3,5-900', 'items=0-9', 'bytes=3-'])(
  'a download with the ranges %s, which do not begin at the first byte, is audited once',
  async (range) => {
    const person = await world.signIn();
    const { files } = await add(person, { name: 'a.pdf', bytes: bytesOf.pdf });
    const { id } = files[0];

    for (let count = 0; count < 3; count += 1)
      expect((await get(person, id, { range })).rawPayload.length).toBeGreaterThan(5);

    expect(await actionsOf(person)).toEqual([`stored_file.download ${id}`]);
  },
);

test('audits viewing a rendered DICOM file once, not for each frame', async () => {
  const person = await world.signIn();
  const { files } = await add(person, image());
  const { id } = files[0];

  for (const what of ['rendered', 'rendered?frame=1', 'rendered?window=1,2']) {
    expect((await get(person, id, { accept: 'image/png' }, what)).statusCode).toBe(200);
  }

  expect(await actionsOf(person)).toEqual([`stored_file.view ${id}`]);
});

test('sends text as a plain text attachment, whole or in ranges, without compression', async () => {
  const person = await world.signIn();
  const bytes = Buffer.from('Line é\n'.repeat(500));
  const { data } = await sendForm(person, 'POST', '/guidelines', {
    part: 'guideline',
    body: { ...entry, content: 'x' },
    files: [{ name: 'a.txt', bytes }],
  });
  const { id } = data.attachments[0];

  const full = await get(person, id);
  const part = await get(person, id, { range: 'bytes=7-13', 'accept-encoding': 'gzip, br' });
  const known = await get(person, id, { 'if-none-match': String(full.headers.etag) });

  expect(full.rawPayload.equals(bytes)).toBe(true);
  expect(full.headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8' });
  expect(full.headers['content-disposition']).toMatch(/^attachment;/);
  expect([part.statusCode, part.headers['content-range'], part.headers['content-encoding']]).toEqual([
    206,
    `bytes 7-13/${bytes.length}`,
    undefined,
  ]);
  expect(part.rawPayload.equals(bytes.subarray(7, 14))).toBe(true);
  expect(known.statusCode).toBe(304);
});

test('renders a DICOM file with the requested window, and refuses to render other files', async () => {
  const person = await world.signIn();
  const { files } = await add(person, image(), { name: 'a.pdf', bytes: bytesOf.pdf });
  const [dicom, document] = files;

  const picture = await get(person, dicom.id, { accept: 'image/png' }, 'rendered?window=1,2');
  const bright = await get(person, dicom.id, { accept: 'image/png' }, 'rendered?window=-100000,2');
  const beyond = await get(person, dicom.id, {}, 'rendered?frame=2');

  expect(picture.statusCode).toBe(200);
  expect((await sharp(picture.rawPayload).metadata()).format).toBe('png');
  expect(bright.rawPayload.equals(picture.rawPayload)).toBe(false);
  expect(beyond.statusCode).toBe(404);
  expect((await get(person, document.id, {}, 'rendered')).statusCode).toBe(406);
});

test('deleting a file does not delete bytes that an image or another file also uses', async () => {
  const person = await world.signIn();
  const shared = image();
  const document = { name: 'a.pdf', bytes: bytesOf.pdf };
  await storeAs(person, shared);
  const one = await add(person, shared, document);
  const other = await add(person, document);
  expect(await hashesIn(person)).toHaveLength(2);

  await person.send(atlas.remove, { params: { id: one.id } });
  expect(await hashesIn(person)).toHaveLength(2);
  expect(await differencesOf(person)).toEqual([]);
  await person.send(atlas.remove, { params: { id: other.id } });

  expect(await hashesIn(person)).toHaveLength(1);
  expect(await differencesOf(person)).toEqual([]);
});

test('upkeep removes no used file and marks files whose bytes are missing; a new upload restores the bytes', async () => {
  const person = await world.signIn();
  const document = { name: 'a.pdf', bytes: bytesOf.pdf };
  await add(person, document);
  const [sha256 = ''] = await hashesIn(person);

  expect(await sweepTenant(context, person.tenant.id, { unusedFor: 0 })).toEqual({ removed: 0, missing: 0, found: 0 });
  await context.blobs.remove(person.tenant.id, sha256);
  expect(await differencesOf(person)).toEqual(['the file is missing from the store']);
  expect((await sweepTenant(context, person.tenant.id)).missing).toBe(1);
  await add(person, document);

  expect(await differencesOf(person)).toEqual([]);
});

const limitTo = ({ tenant }: Person, bytes: number) =>
  world.owner.updateTable('tenants').set({ storage_quota_bytes: bytes }).where('id', '=', tenant.id).execute();

test('files count toward the storage limit of an organization, and further files are refused at the limit', async () => {
  const person = await world.signIn();
  const document = { name: 'a.pdf', bytes: bytesOf.pdf };
  await limitTo(person, bytesOf.pdf.length + bytesOf.png.length - 1);
  const { id } = await add(person, document);

  const refused = await sendForm(person, 'PUT', `/atlas/${id}`, {
    part: 'atlas',
    files: [{ name: 'b.png', bytes: bytesOf.png }],
  });
  expect(refused).toMatchObject({ status: 507, error: 'store.quota' });
  expect(await hashesIn(person)).toHaveLength(1);
  await person.send(atlas.remove, { params: { id } });
  const { rows } = await sql<{ bytes: number }>`
    select sum(bytes)::int as bytes from storage_use where tenant_id = ${person.tenant.id}`.execute(world.owner);

  expect(rows[0]?.bytes).toBe(0);
});

test('accepts files that exactly fill the storage, but only one of two files if both do not fit', async () => {
  const person = await world.signIn();
  const [first, second] = [
    { name: 'a.pdf', bytes: bytesOf.pdf },
    { name: 'b.png', bytes: bytesOf.png },
  ];
  const both = first.bytes.length + second.bytes.length;
  const send = () => sendForm(person, 'POST', '/atlas', { part: 'atlas', body: entry, files: [first, second] });

  await limitTo(person, both - 1);
  expect(await send()).toMatchObject({ status: 507, error: 'store.quota' });
  expect(await hashesIn(person)).toEqual([]);
  await limitTo(person, both);
  expect((await send()).status).toBe(200);
});

test('an interrupted upload leaves nothing', async () => {
  const person = await world.signIn();
  const { payload, headers } = form(
    { field: 'atlas', value: JSON.stringify(entry) },
    { name: 'a.pdf', bytes: Buffer.concat([bytesOf.pdf, Buffer.alloc(5000)]) },
  );

  const answer = await person.request({
    method: 'POST',
    url: '/api/atlas',
    payload: payload.subarray(0, -2000),
    headers,
  });

  expect(answer.statusCode).toBe(400);
  expect((await person.send(atlas.list)).data.totalElements).toBe(0);
  expect(await hashesIn(person)).toEqual([]);
});

test('removes files from the store when their rows are not committed', async () => {
  const person = await world.signIn();
  const files = [{ name: 'a.pdf', bytes: bytesOf.pdf }];
  const nowhere = await sendForm(person, 'PUT', `/atlas/${crypto.randomUUID()}`, { part: 'atlas', files });
  expect(nowhere.status).toBe(404);
  expect(await hashesIn(person)).toEqual([]);
  // If the commit fails, the bytes are already in the store.
  await sql`create function refuse_commit() returns trigger language plpgsql as
            $$ begin raise exception 'no commit'; end $$`.execute(world.owner);
  await sql`create constraint trigger no_commit after insert on stored_files
            deferrable initially deferred for each row execute function refuse_commit()`.execute(world.owner);

  const failed = await sendForm(person, 'POST', '/atlas', { part: 'atlas', body: entry, files });
  await sql`drop trigger no_commit on stored_files`.execute(world.owner);

  expect(failed.status).toBe(500);
  expect((await person.send(atlas.list)).data.totalElements).toBe(0);
  expect(await hashesIn(person)).toEqual([]);
  expect(await incomingFiles(world)).toEqual([]);
});

test('a PDF stored before PDF checks existed is checked once, at its next download, and refused in any language', async () => {
  const person = await world.signIn();
  const { files } = await add(
    person,
    { name: 'plain.pdf', bytes: bytesOf.pdf },
    { name: 'active.pdf', bytes: Buffer.concat([bytesOf.pdf, Buffer.from('\n% other')]) },
  );
  const active = Buffer.concat([bytesOf.pdf, Buffer.from('\n<< /S /JavaScript /JS (app.alert\\(1\\)) >>')]);
  const blob = await context.blobs.receive(Readable.from([active]), active.length, person.tenant.id);
  await blob.sync();
  await blob.close();
  await context.blobs.keep(person.tenant.id, [blob]);
  const stored = { sha256: Buffer.from(await blob.sha256, 'hex'), size: active.length };
  await world.owner.updateTable('stored_files').set(stored).where('id', '=', files[1].id).execute();
  const rows = () =>
    world.owner
      .selectFrom('stored_files')
      .select('refusal')
      .where('tenant_id', '=', person.tenant.id)
      .orderBy('filename', 'desc')
      .execute();
  expect(await rows()).toEqual([{ refusal: '' }, { refusal: '' }]);
  await world.owner
    .updateTable('stored_files')
    .set({ refusal: null })
    .where('tenant_id', '=', person.tenant.id)
    .execute();

  expect((await get(person, files[0].id)).statusCode).toBe(200);
  const refused = await get(person, files[1].id);
  expect(refused.statusCode).toBe(409);
  expect(refused.json()).toMatchObject({ error: 'file.active', message: expect.stringContaining('script') });
  expect(await rows()).toEqual([{ refusal: '' }, { refusal: expect.stringContaining('script') }]);

  const set = (values: { refusal: string | null; refusal_sentence?: null }) =>
    world.owner.updateTable('stored_files').set(values).where('id', '=', files[1].id).execute();
  const why = 'The PDF contains a script. Print it to a new PDF';
  const german = await translatedApp(world, [why, '{0}. Replace the file.']);
  onTestFinished(german.close);
  const inGerman = async () => {
    const headers = { authorization: `Bearer ${person.token}`, 'accept-language': 'de' };
    return (await german.inject({ url: `/api/files/${files[1].id}/download`, headers })).json().message;
  };
  expect(await inGerman()).toBe(`‹‹${why}›. Replace the file.›`);
  await set({ refusal: null, refusal_sentence: null });
  expect(await inGerman()).toBe(`‹‹${why}›. Replace the file.›`);
  expect(await rows()).toEqual([{ refusal: '' }, { refusal: why }]);
  expect((await get(person, files[1].id)).json().message).toBe(`${why}. Replace the file.`);
  await set({ refusal: 'An old text', refusal_sentence: null });
  expect(await inGerman()).toBe('‹An old text. Replace the file.›');
});
