import { atlas } from '@radwork/contract/knowledge/atlas';
import { guidelines } from '@radwork/contract/knowledge/guidelines';
import { knowledge } from '@radwork/contract/knowledge/library';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { storeAs } from '#test/archive-calls.ts';
import { incomingFiles } from '#test/incoming-files.ts';
import { bytesOf, sendForm } from '#test/library-files.ts';
import { receiveEvents, listeningTo } from '#test/listen-live.ts';
import { image } from '#test/multipart-upload.ts';
import { waitsForLock } from '#test/waits-for-lock.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const listen = listeningTo(world);

const entry = {
  title: 'Pulmonary embolism',
  author: 'Dr Ito',
  modality: 'CT',
  bodyPart: 'CHEST',
  summary: 'Look for a filling defect.',
};
const advice = {
  title: 'Contrast reactions',
  author: 'Dr Ito',
  content: 'Stop the infusion first.\n\n<b>Then call.</b>',
};
const pdf = { name: 'chart.pdf', bytes: bytesOf.pdf };
const png = { name: 'sign.png', bytes: bytesOf.png };
const txt = { name: 'steps.txt', bytes: bytesOf.txt };

const createEntry = async (person: Person, body: object = entry, files: (typeof pdf)[] = []) =>
  (await sendForm(person, 'POST', '/atlas', { part: 'atlas', body, files })).data;

const storedHashes = async ({ tenant }: Person): Promise<number> => {
  let count = 0;
  for await (const _ of world.context.blobs.list(tenant.id)) count += 1;
  return count;
};

test('one form creates a library entry with its files, and the response has its fields in both places', async () => {
  const person = await world.signIn();
  const created = await sendForm(person, 'POST', '/atlas', {
    part: 'atlas',
    body: { id: null, ...entry },
    files: [pdf, png, image()],
  });

  expect(created).toMatchObject({ status: 200, code: 200, data: { ...entry, revision: 1 } });
  expect(created.data.files).toEqual([
    {
      id: expect.any(String),
      filename: 'chart.pdf',
      contentType: 'application/pdf',
      size: pdf.bytes.length,
      frames: null,
    },
    { id: expect.any(String), filename: 'sign.png', contentType: 'image/png', size: png.bytes.length, frames: null },
    expect.objectContaining({ filename: 'image.dcm', contentType: 'application/dicom', frames: 1 }),
  ]);
  const read = (await person.request({ method: 'GET', url: '/api/atlas' })).json();
  expect(read.data.content).toEqual([created.data]);
  expect([read.content, read.totalPages]).toEqual([[created.data], 1]);
});

test('a guideline accepts attachments under either field name, or plain JSON if there are no files', async () => {
  const person = await world.signIn();
  const plain = await person.send(guidelines.create, { body: advice });
  expect(plain).toMatchObject({ status: 200, data: { ...advice, modality: '', bodyPart: '', attachments: [] } });
  const { id } = plain.data;

  const boundary = 'b';
  const part = (header: string, text: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${header}\r\n\r\n${text}\r\n`;
  const payload = [
    part('name="attachments"; filename="a.txt"', 'A'),
    // Sends the form like a browser that sends a Blob of JSON after the files.
    part('name="guideline"; filename="blob"', JSON.stringify({ id, ...advice, title: 'Reactions' })),
    part('name="files"; filename="b.txt"', 'B'),
    `--${boundary}--\r\n`,
  ].join('');
  const updated = await person.request({
    method: 'PUT',
    url: `/api/guidelines/${id}`,
    payload,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  });

  expect(updated.json().data).toMatchObject({ title: 'Reactions', content: advice.content });
  expect(updated.json().data.attachments.map(({ filename }: { filename: string }) => filename)).toEqual([
    'a.txt',
    'b.txt',
  ]);
});

test('PUT adds files to the existing files, and a form with only files does not change the text', async () => {
  const person = await world.signIn();
  const { id } = await createEntry(person, entry, [pdf]);

  const added = await sendForm(person, 'PUT', `/atlas/${id}`, { part: 'atlas', files: [png] });

  expect(added.data).toMatchObject({ ...entry, revision: 1 });
  expect(added.data.files.map(({ filename }: { filename: string }) => filename)).toEqual(['chart.pdf', 'sign.png']);
});

test('library pages count from zero, with ten entries by default and at most 200', async () => {
  const person = await world.signIn();
  for (let number = 1; number <= 11; number += 1) await createEntry(person, { ...entry, title: `Entry ${number}` });

  const first = await person.send(atlas.list);
  const second = await person.send(atlas.list, { query: { page: 1 } });
  const beyond = await person.send(atlas.list, { query: { page: 7, size: 1000 } });

  expect(first.data).toMatchObject({ totalElements: 11, totalPages: 2, number: 0, size: 10 });
  expect(first.data.content.map(({ title }) => title)).toEqual(
    Array.from({ length: 10 }, (_, index) => `Entry ${11 - index}`),
  );
  expect(second.data.content.map(({ title }) => title)).toEqual(['Entry 1']);
  expect(beyond).toMatchObject({ status: 200, data: { content: [], size: 200 } });
});

test('a library search finds all words in any field or file name, ignoring case and accents, titles first', async () => {
  const person = await world.signIn();
  await createEntry(person, { ...entry, title: 'Ménière disease', summary: 'Endolymphatic hydrops' });
  await createEntry(person, { ...entry, title: 'Hydrops of the gallbladder', author: 'Dr Núñez' });
  await createEntry(person, { ...entry, title: 'Other', summary: 'hydrops 100%' }, [
    { ...pdf, name: '心臓-meniere.pdf' },
  ]);
  const find = async (q: string) =>
    (await person.send(atlas.list, { query: { q } })).data.content.map(({ title }) => title);

  expect(await find('HYDROPS')).toEqual(['Hydrops of the gallbladder', 'Other', 'Ménière disease']);
  expect(await find('meniere')).toEqual(['Ménière disease', 'Other']);
  expect(await find('ménière')).toEqual(['Ménière disease', 'Other']);
  expect(await find('Nuñez')).toEqual(['Hydrops of the gallbladder']);
  expect(await find('nunez gallbladder')).toEqual(['Hydrops of the gallbladder']);
  expect(await find('心臓')).toEqual(['Other']);
  expect(await find('100%')).toEqual(['Other']);
  expect(await find('100_')).toEqual([]);
  await person.send(guidelines.create, { body: advice });
  const response = await person.send(guidelines.list, { query: { q: 'infusion' } });
  expect(response.data.content.map(({ title }) => title)).toEqual([advice.title]);
});

test('a missing field gets its message, and no file of the call is stored', async () => {
  const person = await world.signIn();
  const refused = await sendForm(person, 'POST', '/guidelines', {
    part: 'guideline',
    body: { title: ' ', author: '', content: '' },
    files: [pdf],
  });

  expect(refused).toMatchObject({
    status: 422,
    errors: [
      { field: 'title', message: 'Title is required' },
      { field: 'author', message: 'Author is required' },
      { field: 'content', message: 'Content is required' },
    ],
  });
  expect(await storedHashes(person)).toBe(0);
});

test('every refused file gets its reason, and nothing of the call is stored', async () => {
  const person = await world.signIn();
  const files = [pdf, { name: 'a.svg', bytes: Buffer.from('<svg/>') }, { name: 'b.png', bytes: bytesOf.pdf }];

  const refused = await sendForm(person, 'POST', '/atlas', { part: 'atlas', body: entry, files });

  expect(refused).toMatchObject({
    status: 422,
    error: 'file.refused',
    errors: [
      { field: 'files.1', message: 'a.svg: Only PDF, JPG, JPEG, PNG, DICOM or DCM files are accepted' },
      { field: 'files.2', message: 'b.png: The content is not a PNG file' },
    ],
  });
  expect((await person.send(atlas.list)).data.totalElements).toBe(0);
  expect(await storedHashes(person)).toBe(0);
  expect(await incomingFiles(world)).toEqual([]);
});

test('refuses more than 20 files in one call', async () => {
  const person = await world.signIn();
  const files = Array.from({ length: 21 }, (_, index) => ({ ...txt, name: `${index}.txt` }));

  const refused = await sendForm(person, 'POST', '/guidelines', { part: 'guideline', body: advice, files });

  expect(refused).toMatchObject({
    status: 422,
    errors: [{ field: 'files', message: 'Upload at most 20 files at a time' }],
  });
  expect(await storedHashes(person)).toBe(0);
});

test('refuses to overwrite an entry that another user changed, and names that user', async () => {
  const person = await world.signIn();
  const other = await world.signIn('ADMIN', person.tenant);
  const { id } = await createEntry(person);
  await other.send(atlas.update, { params: { id }, body: { ...entry, title: 'Theirs', revision: 1 } });

  const late = await person.send(atlas.update, { params: { id }, body: { ...entry, summary: 'Mine', revision: 1 } });

  expect(late).toMatchObject({
    status: 409,
    message: `${other.session.name} changed this in the meantime. Your changes were not saved.`,
  });
  expect(late.errors?.map(({ field }) => field)).toEqual(['title', 'summary']);
  expect((await person.send(atlas.get, { params: { id } })).data).toMatchObject({ title: 'Theirs', revision: 2 });
});

test('refuses to overwrite an entry while another change of it is being committed', async () => {
  const person = await world.signIn();
  const { id } = await createEntry(person);
  const change = (summary: string) =>
    person.send(atlas.update, { params: { id }, body: { ...entry, summary, revision: 1 } });
  let late: ReturnType<typeof change> | undefined;

  await person.inScope(async ({ db }) => {
    await db.updateTable('atlases').set({ summary: 'First', revision: 2 }).where('id', '=', id).execute();
    late = change('Late');
    await waitsForLock(world);
  });

  expect(await late).toMatchObject({ status: 409 });
  expect((await person.send(atlas.get, { params: { id } })).data).toMatchObject({ summary: 'First', revision: 2 });
});

test('accepts a change without a revision, and audits the replaced fields and revision', async () => {
  const person = await world.signIn();
  const other = await world.signIn('ADMIN', person.tenant);
  const { id } = await createEntry(person);
  await other.send(atlas.update, { params: { id }, body: { ...entry, title: 'Theirs', revision: 1 } });

  const late = await person.send(atlas.update, { params: { id }, body: { ...entry, summary: 'Mine' } });

  expect(late).toMatchObject({ status: 200, data: { title: entry.title, summary: 'Mine', revision: 3 } });
  const changes = await person.inScope(({ db }) =>
    db
      .selectFrom('audit_entries')
      .select(['username', 'detail'])
      .where('action', '=', 'atlas.update')
      .orderBy('id')
      .execute(),
  );
  expect(changes).toEqual([
    { username: other.username, detail: { files: 0 } },
    {
      username: person.username,
      detail: { files: 0, isRevisionUnnamed: true, replacedRevision: 2, replacedFields: 'title, summary' },
    },
  ]);
});

test('deletes a file only through its own entry, and deletes an entry with its files; audits both', async () => {
  const person = await world.signIn();
  const [one, other] = [await createEntry(person, entry, [pdf, png]), await createEntry(person)];
  const fileId = one.files[0].id;

  const elsewhere = await person.send(atlas.removeFile, { params: { id: other.id, fileId } });
  expect(elsewhere.status).toBe(404);
  expect((await person.send(atlas.removeFile, { params: { id: one.id, fileId } })).status).toBe(200);
  const updated = await person.send(atlas.get, { params: { id: one.id } });
  expect(updated.data.files.map(({ filename }) => filename)).toEqual(['sign.png']);
  expect((await person.send(atlas.list, { query: { q: 'chart' } })).data.totalElements).toBe(0);
  expect(await storedHashes(person)).toBe(1);

  expect((await person.send(atlas.remove, { params: { id: one.id } })).status).toBe(200);
  expect((await person.send(atlas.get, { params: { id: one.id } })).status).toBe(404);
  expect((await person.send(atlas.remove, { params: { id: one.id } })).status).toBe(404);
  expect(await storedHashes(person)).toBe(0);
  const actions = await person.inScope(({ db }) =>
    db.selectFrom('audit_entries').select('action').where('entity', '=', 'atlas').orderBy('id').execute(),
  );
  expect(actions.map(({ action }) => action)).toEqual([
    'atlas.create',
    'atlas.create',
    'atlas.delete_file',
    'atlas.delete',
  ]);
});

test('all users except patients can read the library, and only its managers can change it', async () => {
  const person = await world.signIn();
  const { id, files } = await createEntry(person, entry, [pdf]);
  const referrer = await world.signIn('REFERRING_PHYSICIAN', person.tenant);
  const patient = await world.signIn('PATIENT', person.tenant);
  const stranger = await world.signIn('ADMIN');
  const download = { method: 'GET', url: `/api/files/${files[0].id}/download` } as const;

  expect((await referrer.send(atlas.get, { params: { id } })).status).toBe(200);
  expect((await referrer.request(download)).statusCode).toBe(200);
  expect((await referrer.send(atlas.create, { body: entry })).status).toBe(403);
  expect((await referrer.send(guidelines.create, { body: advice })).status).toBe(403);
  expect((await patient.send(atlas.list)).status).toBe(403);
  expect((await patient.send(guidelines.list)).status).toBe(403);
  expect((await patient.request(download)).statusCode).toBe(403);
  expect((await stranger.send(atlas.get, { params: { id } })).status).toBe(404);
  expect((await stranger.request(download)).statusCode).toBe(404);
  // A HEAD request must be refused too, because the headers of its answer contain the file name.
  const glance = await stranger.request({ ...download, method: 'HEAD' });
  expect([glance.statusCode, glance.headers['content-disposition']]).toEqual([404, undefined]);
  expect((await referrer.request({ ...download, method: 'HEAD' })).statusCode).toBe(200);
});

test('other browsers get an event for a change, but none for a refused change', async () => {
  const person = await world.signIn();
  const listening = await listen(await world.signIn('REFERRING_PHYSICIAN', person.tenant));

  await sendForm(person, 'POST', '/atlas', {
    part: 'atlas',
    body: entry,
    files: [{ name: 'a.exe', bytes: bytesOf.zip }],
  });
  await createEntry(person);
  expect(await receiveEvents(listening)).toEqual([{ kind: 'atlas' }]);
  await person.send(guidelines.create, { body: advice });
  expect(await receiveEvents(listening, 2)).toContainEqual({ kind: 'guidelines' });
});

test('a study shows the library entries for its modality and body part, best match first', async () => {
  const person = await world.signIn();
  await storeAs(person, image({ Modality: 'CT', BodyPartExamined: 'CHEST', StudyDescription: 'CT chest' }));
  const study = await person.inScope(({ db }) => db.selectFrom('studies').select('id').executeTakeFirstOrThrow());
  await createEntry(person, { ...entry, title: 'Any CT', bodyPart: '' });
  await createEntry(person, { ...entry, title: 'CT of the thorax', bodyPart: 'Thorax' });
  await createEntry(person, { ...entry, title: 'Chest, any modality', modality: '' });
  await createEntry(person, { ...entry, title: 'MR chest', modality: 'MR' });
  await createEntry(person, { ...entry, title: 'CT knee', bodyPart: 'KNEE' });
  await person.send(guidelines.create, { body: { ...advice, title: 'Nodules of the chest' } });
  await person.send(guidelines.create, { body: advice });

  const offered = await person.send(knowledge.forStudy, { params: { id: study.id } });

  expect(offered.data.subject).toBe('CT chest');
  expect(offered.data.atlas.map(({ title }) => title)).toEqual(['CT of the thorax', 'Chest, any modality', 'Any CT']);
  expect(offered.data.guidelines.map(({ title }) => title)).toEqual(['Nodules of the chest']);
  await person.inScope(({ db }) => db.updateTable('series').set({ body_part_examined: '' }).execute());
  expect((await person.send(knowledge.forStudy, { params: { id: study.id } })).data.subject).toBe('CT chest');
  expect((await person.send(knowledge.forStudy, { params: { id: newId() } })).status).toBe(404);
});
