import { reports } from '@radwork/contract/reading/reports';
import { studies } from '@radwork/contract/imaging/studies';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { storeAs } from '#test/archive-calls.ts';
import { beginReport, signature } from '#test/report-steps.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

/** Creates a user with a study of one image in the archive. */
const withStudy = async () => {
  const person = await world.signIn('ADMIN');
  const [studyUid, seriesUid, instanceUid] = [newUid(), newUid(), newUid()];
  const uids = { StudyInstanceUID: studyUid, SeriesInstanceUID: seriesUid, SOPInstanceUID: instanceUid };
  await storeAs(person, image({ ...uids, PatientID: 'P-1' }));
  const study = `/studies/${studyUid}`;
  const series = `${study}/series/${seriesUid}`;
  return { person, study, series, instance: `${series}/instances/${instanceUid}`, uids };
};

const remove = (person: Person, path: string, prefix = '/dicom-web') =>
  person.request({ method: 'DELETE', url: `${prefix}${path}` });

test('a deleted study is in the recycle bin, and DICOMweb serves nothing of it', async () => {
  // Makes this server cache who may see which study, as it does in normal use.
  const stop = world.context.sessions.listen(world.url);
  await expect.poll(() => world.context.sessions.accessVersion()).toBeDefined();
  const { person, study, series, instance, uids } = await withStudy();
  const everything = [
    study,
    `${study}/metadata`,
    `${study}/series`,
    `${study}/instances`,
    `${study}/rendered`,
    series,
    `${series}/metadata`,
    `${series}/instances`,
    instance,
    `${instance}/metadata`,
    `${instance}/frames/1`,
    `${instance}/rendered`,
  ].flatMap((path) => [`/dicom-web${path}`, ...['qido-rs', 'wado-rs'].map((service) => `/api/${service}${path}`)]);
  const servedOf = async () => {
    const answers = await Promise.all(everything.map((url) => person.request({ method: 'GET', url })));
    return answers.filter(({ statusCode }) => statusCode === 200).length;
  };
  expect(await servedOf()).toBeGreaterThan(12);

  const answer = await remove(person, study);

  expect([answer.statusCode, answer.body]).toEqual([204, '']);
  expect(await servedOf()).toBe(0);
  for (const level of ['studies', 'series', 'instances']) {
    const response = await person.request({ method: 'GET', url: `/dicom-web/${level}` });
    expect(response.json()).toEqual([]);
  }
  const params = { studyUid: uids.StudyInstanceUID };
  expect(await person.send(studies.getByUid, { params })).toMatchObject({ status: 404 });
  const entries = await person.inScope(({ db }) =>
    db.selectFrom('audit_entries').select('username').where('action', '=', 'study.delete').execute(),
  );
  expect(entries).toEqual([{ username: person.username }]);
  await stop();
});

test('DICOMweb no longer serves a study after its deletion on a screen was confirmed', async () => {
  const stop = world.context.sessions.listen(world.url);
  await expect.poll(() => world.context.sessions.accessVersion()).toBeDefined();
  const statuses: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    const { person, instance } = await withStudy();
    const url = `/dicom-web${instance}/frames/1`;
    await person.request({ method: 'GET', url });
    const { data: page } = await person.send(studies.list);

    await person.send(studies.remove, { params: { id: page.content[0]?.id ?? '' } });

    statuses.push((await person.request({ method: 'GET', url })).statusCode);
  }
  await stop();

  expect(statuses).toEqual(Array.from({ length: 10 }, () => 404));
});

test('refuses further images of a deleted study and gives the reason', async () => {
  const { person, study, uids } = await withStudy();
  await remove(person, study, '/api/wado-rs');

  const again = storeAs(person, image({ ...uids, SOPInstanceUID: newUid(), PatientID: 'P-1' }));

  await expect(again).rejects.toThrow('The study is in the recycle bin. Restore it before you add files.');
});

test('refuses to delete a study with a finalized report', async () => {
  const { person, study } = await withStudy();
  const author = await world.signIn('RADIOLOGIST', person.tenant);
  const { data: page } = await author.send(studies.list);
  const id = page.content[0]?.id ?? '';
  const draft = await beginReport(author, id, { content: '<p>Fine</p>' });
  const body = { content: '<p>Fine</p>', signatureData: signature };
  await author.send(reports.finalize, { params: { id: draft.data.id }, body });

  const answer = await remove(person, study);

  expect(answer.json()).toMatchObject({ code: 409, error: 'study.has_report' });
  expect((await person.request({ method: 'GET', url: `/dicom-web${study}/metadata` })).statusCode).toBe(200);
});

test('a request to delete a study of another tenant gets 404, and the study remains', async () => {
  const { person, study } = await withStudy();
  const stranger = await world.signIn('ADMIN');

  const foreign = await remove(stranger, study);
  const unknown = await remove(stranger, `/studies/${newUid()}`);
  const noUid = await remove(stranger, '/studies/..%2F..');

  const { traceId: _, ...refusal } = unknown.json();
  expect(foreign.json()).toMatchObject(refusal);
  expect([foreign.statusCode, unknown.statusCode, noUid.statusCode]).toEqual([404, 404, 404]);
  expect((await person.request({ method: 'GET', url: `/dicom-web${study}/metadata` })).statusCode).toBe(200);
});

test('refuses users without the permission to delete studies', async () => {
  const { person, study } = await withStudy();
  const radiologist = await world.signIn('RADIOLOGIST', person.tenant);

  expect((await remove(radiologist, study)).statusCode).toBe(403);
});

test('refuses to delete a series or an instance alone, with a message', async () => {
  const { person, series, instance } = await withStudy();

  for (const path of [series, instance]) {
    const answer = await remove(person, path);

    expect(answer.headers['allow']).toBe('GET, HEAD');
    expect(answer.json()).toMatchObject({
      code: 405,
      message: 'Series and instances cannot be deleted individually. Delete the study.',
    });
  }
});
