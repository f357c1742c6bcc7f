import { remoteConfigurations } from '@radwork/contract/imaging/remote-archives';
import { remoteStudies } from '@radwork/contract/imaging/remote-studies';
import { studies } from '@radwork/contract/imaging/studies';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { storeAs } from '#test/archive-calls.ts';
import { startFaultyArchive } from '#test/faulty-archive.ts';
import { newImages } from '#test/remote-images.ts';
import { hasOrthanc, startOrthanc } from '#test/orthanc.ts';
import { createWorld, type Person } from '#test/world.ts';
import { deleteOldConnections } from './forget-connections.ts';
import { openRemote } from './open-remote.ts';

const world = await createWorld({
  REMOTE_ALLOW: 'net=127.0.0.1 ports=1024-65535 protocols=http,dicom',
  REMOTE_TIMEOUT_SECONDS: '1',
});
const archiveFiles = newImages(1, 2);
const archive = await startFaultyArchive(archiveFiles);
afterAll(archive.stop);

const configure = async (admin: Person, body: object = {}) => {
  const form = { aeTitle: 'OTHER', protocol: 'DICOMWEB', baseUrl: archive.url, authType: 'NONE', ...body };
  const { data } = await admin.send(remoteConfigurations.create, { body: form });
  return data.id;
};
const search = (person: Person, configId: string, keys: Record<string, string> = {}) =>
  person.send(remoteStudies.search, { query: { configId, ...keys } });
const connect = (person: Person, body: object = {}) =>
  person.send(remoteStudies.connect, { body: { host: '127.0.0.1', port: archive.port, ...body } });
const testOf = async (admin: Person, body: object) => {
  const params = { id: await configure(admin, body) };
  return (await admin.send(remoteConfigurations.test, { params })).data;
};

test('a test of a configuration calls the archive and returns the duration', async () => {
  const admin = await world.signIn('ADMIN');
  archive.asked.length = 0;

  const result = await testOf(admin, {});

  expect(result).toEqual({
    isOk: true,
    milliseconds: expect.any(Number),
    server: '',
    cause: null,
    message: 'Connected',
  });
  expect(archive.asked).toEqual(['/dicom-web/studies?limit=1']);
});

test.each([
  [{ baseUrl: 'http://10.0.0.1:8042/dicom-web' }, 'REFUSED_BY_POLICY', 'REMOTE_ALLOW: net=10.0.0.1/32 ports=8042'],
  [{ baseUrl: 'http://127.0.0.1:1024/dicom-web' }, 'CONNECTION_REFUSED', 'refuses connections'],
  [{ baseUrl: 'https://archive.invalid' }, 'DNS', 'has no address'],
])('a failed test gives the reason (%j)', async (body, cause, words) => {
  const admin = await world.signIn('ADMIN');

  const result = await testOf(admin, body);

  expect(result).toMatchObject({ isOk: false, cause, message: expect.stringContaining(words) });
});

test.skipIf(!hasOrthanc)('tests and searches a DIMSE archive in the same way (needs orthanc)', async () => {
  const orthanc = await startOrthanc();
  const admin = await world.signIn('ADMIN');
  await orthanc.upload(archiveFiles.map(({ bytes }) => new Uint8Array(bytes)));
  const dimse = { protocol: 'DIMSE', baseUrl: `dicom://ORTHANC@127.0.0.1:${orthanc.dicomPort}` };

  const tested = await testOf(admin, dimse);
  const searched = await search(admin, await configure(admin, { ...dimse, aeTitle: 'AGAIN' }), { patientName: 'Doe' });
  await orthanc.stop();
  const gone = await testOf(admin, { ...dimse, aeTitle: 'GONE' });

  expect(tested).toMatchObject({ isOk: true, server: expect.stringMatching(/./) });
  expect(searched.data.studies).toMatchObject([{ studyInstanceUID: archiveFiles[0]?.study, patientName: 'Doe, Jane' }]);
  expect(gone).toMatchObject({ isOk: false, cause: 'CONNECTION_REFUSED' });
});

test('tests an unsaved form, and uses the stored password only for its own address', async () => {
  const admin = await world.signIn('ADMIN');
  const basic = { authType: 'BASIC', username: 'reader' };
  const id = await configure(admin, { ...basic, password: 'stored' });
  const form = { aeTitle: 'OTHER', protocol: 'DICOMWEB', baseUrl: `${archive.url}/more`, ...basic };
  const testUnsaved = (body: object) => admin.send(remoteConfigurations.testUnsaved, { body });
  archive.headersSeen.length = 0;

  const unchanged = await testUnsaved({ ...form, id });
  const typed = await testUnsaved({ ...form, password: 'typed' });
  const elsewhere = await testUnsaved({ ...form, id, baseUrl: 'http://127.0.0.1:1024/' });
  const missing = await testUnsaved(form);

  expect([unchanged.data.isOk, typed.data.isOk]).toEqual([true, true]);
  expect(archive.headersSeen.map(({ authorization }) => authorization)).toEqual(
    ['reader:stored', 'reader:typed'].map((pair) => `Basic ${Buffer.from(pair).toString('base64')}`),
  );
  expect([elsewhere.status, missing.status]).toEqual([422, 422]);
  const foreign = await world.signIn('ADMIN');
  for (const unknown of [id, 'nonsense']) {
    const answer = await foreign.send(remoteConfigurations.testUnsaved, { body: { ...form, id: unknown } });
    expect(answer.status).toBe(404);
  }
});

test('a search shows the studies of the remote archive and which of them are already stored here', async () => {
  const radiologist = await world.signIn();
  const admin = await world.signIn('ADMIN', radiologist.tenant);
  const configId = await configure(admin);
  const study = archiveFiles[0]?.study;

  const before = await search(radiologist, configId, { patientName: 'Doe' });
  await storeAs(radiologist, { name: 'x.dcm', bytes: archiveFiles[0]?.bytes ?? Buffer.alloc(0) });
  const after = await search(radiologist, configId, { patientName: 'Doe' });

  expect(before.data).toEqual({
    studies: [
      {
        studyInstanceUID: study,
        studyUrl: `${archive.url}/studies/${study}`,
        patientName: 'Doe, Jane',
        patientId: '',
        sex: '',
        birthDate: '',
        studyDate: '',
        studyTime: '',
        studyDescription: '',
        modality: '',
        accessionNumber: '',
        seriesCount: 1,
        instanceCount: 2,
        studyId: null,
        storedInstanceCount: null,
      },
    ],
    hasMore: false,
  });
  const { data: stored } = await radiologist.send(studies.list);
  expect(after.data.studies[0]).toMatchObject({ studyId: stored.content[0]?.id, storedInstanceCount: 1 });
});

test("a search requires a configuration of the caller's tenant and a valid date", async () => {
  const person = await world.signIn('ADMIN');
  const foreign = await configure(await world.signIn('ADMIN'));

  const without = await person.send(remoteStudies.search, { query: { patientName: 'Doe' } });
  const answers = [await search(person, foreign), await search(person, 'nonsense')];
  const undated = await search(person, foreign, { studyDate: 'yesterday' });

  expect(without).toMatchObject({ code: 400, message: 'Please select a configuration' });
  expect(answers).toMatchObject([404, 404].map((code) => ({ code, message: 'Configuration not found' })));
  expect(undated.status).toBe(400);
});

test('the error for an archive without search differs from the error for a failing archive', async () => {
  const person = await world.signIn('ADMIN');
  const configId = await configure(person, { baseUrl: 'http://127.0.0.1:1024/dicom-web' });

  const answer = await search(person, configId);

  expect(answer).toMatchObject({
    code: 502,
    error: 'remote.failed',
    message: expect.stringContaining('refuses connections'),
  });
});

test('a user who connects to an archive by its address is the only user who can search it', async () => {
  const person = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', person.tenant);
  const admin = await world.signIn('ADMIN', person.tenant);

  const { data, status } = await connect(person, { username: 'me', password: 'SECRET-9' });

  expect(status).toBe(200);
  expect((await search(person, data.id)).data.studies).toHaveLength(1);
  expect((await search(colleague, data.id)).status).toBe(404);
  expect((await admin.send(remoteConfigurations.read, { params: { id: data.id } })).status).toBe(404);
  expect((await admin.send(remoteConfigurations.list)).data).toEqual([]);
  expect(JSON.stringify(data)).not.toContain('SECRET-9');
  await expect(openRemote(world.context, colleague.session, data.id)).rejects.toMatchObject({ status: 404 });
});

test('typing the same archive address again updates its configuration', async () => {
  const person = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', person.tenant);
  const { data: first } = await connect(person, { username: 'me', password: 'SECRET-9' });

  const { data: again } = await connect(person);
  const { data: colleagueConnection } = await connect(colleague);
  const row = await person.inScope(({ db }) =>
    db
      .selectFrom('remote_configurations')
      .select(['auth_type', 'username', 'password'])
      .where('id', '=', first.id)
      .executeTakeFirst(),
  );

  expect(again.id).toBe(first.id);
  expect(colleagueConnection.id).not.toBe(first.id);
  expect(row).toEqual({ auth_type: 'NONE', username: '', password: null });
});

test.each([
  [{ port: 1024 }, '127.0.0.1:1024 refuses connections. Check the port and whether the service is running.'],
  [{ host: 'archive.invalid', isTls: true }, expect.stringContaining('has no address')],
  [{ host: '10.0.0.1' }, expect.stringContaining('10.0.0.1 is a private address')],
])('refuses a typed archive that does not answer (%j)', async (body, words) => {
  const person = await world.signIn();

  const answer = await connect(person, body);

  expect(answer.status).toBe(422);
  const [, reason] = /^Failed to connect to PACS: (.+)$/.exec(answer.message) ?? [];
  expect(reason).toEqual(words);
});

test.each([
  ['host', { host: '' }, 'Host is required'],
  ['host', { host: 'http://pacs' }, 'Use a host name or IP address, without http:// or a path'],
  ['host', { host: 'pacs:8042' }, 'Use a host name or IP address, without a port'],
  ['port', { port: undefined }, 'Port is required'],
  ['path', { path: '/dicom-web?x=1' }, 'Enter the path only, such as /dicom-web'],
])('refuses an invalid typed %s at its field (%j)', async (field, body, message) => {
  const person = await world.signIn();

  const answer = await connect(person, body);

  expect(answer).toMatchObject({ status: 422, errors: [{ field, message }] });
});

test('deletes a typed archive after a day without use, but not during an import', async () => {
  const person = await world.signIn();
  const importer = await world.signIn('RADIOLOGIST', person.tenant);
  const user = await world.signIn('RADIOLOGIST', person.tenant);
  const [forgotten, importing, used] = [await connect(person), await connect(importer), await connect(user)];
  await world.inTenant(person.tenant, async ({ db }) => {
    await sql`update remote_configurations set used_at = now() - interval '25 hours'
              where id in (${forgotten.data.id}, ${importing.data.id})`.execute(db);
    await sql`insert into import_jobs (id, remote_config_id, remote_name, protocol, study_instance_uid, requested_by,
                requested_by_tenant_id, requested_by_name)
              values (gen_random_uuid(), ${importing.data.id}, 'x', 'DICOMWEB', '1.2', ${person.userId},
                ${person.tenant.id}, 'x')`.execute(db);
  });

  const answers = [await search(person, forgotten.data.id), await search(importer, importing.data.id)];
  await deleteOldConnections(world.context.scopes);

  expect(answers.map(({ status }) => status)).toEqual([404, 200]);
  const rows = await world.inTenant(person.tenant, ({ db }) =>
    db.selectFrom('remote_configurations').select('id').orderBy('id').execute(),
  );
  expect(rows.map(({ id }) => id)).toEqual([importing.data.id, used.data.id]);
});

test('a waiting search holds no database transaction', async () => {
  const person = await world.signIn('ADMIN');
  const configId = await configure(person);
  archive.misbehave('search answers nothing');

  const searches = Array.from({ length: 8 }, () => search(person, configId));
  await expect.poll(() => archive.asked.length).toBeGreaterThan(7);
  // The pool of the test has five connections.
  const meanwhile = await person.send(studies.list);

  expect(meanwhile.status).toBe(200);
  const answers = await Promise.all(searches);
  archive.recover();
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 502));
});
