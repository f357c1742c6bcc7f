import { Readable } from 'node:stream';
import { type DicomJson, itemsOf, numberOf } from '@radwork/dicom/dataset';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { systemSession } from '#core/access/scope.ts';
import { storeAs } from '#test/archive-calls.ts';
import { form, image, related, type TestFile } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';
import { storeInstances } from '#imaging/archive/store/store-instances.ts';

const world = await createWorld();

const jane = { PatientID: 'P-1', PatientName: 'Doe^Jane', PatientBirthDate: '19500101' };
const refusal = 'You cannot add files to this study. Ask an administrator for access.';

/** Creates a radiologist, and two referring physicians of the same tenant who may create studies. */
const colleagues = async () => {
  const radiologist = await world.signIn();
  await world.inTenant(radiologist.tenant, ({ db }) =>
    db
      .updateTable('roles')
      .set({ permissions: ['study.create', 'study.view'] })
      .where('built_in_for', '=', 'REFERRING_PHYSICIAN')
      .execute(),
  );
  const [referrer, other] = await Promise.all([
    world.signIn('REFERRING_PHYSICIAN', radiologist.tenant),
    world.signIn('REFERRING_PHYSICIAN', radiologist.tenant),
  ]);
  return { radiologist, referrer, other };
};

/** Stores a study of Jane as the radiologist. `count` returns the number of images in the tenant. */
const prepare = async () => {
  const people = await colleagues();
  const uids = { StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), SOPInstanceUID: newUid() };
  const first = image({ ...jane, ...uids });
  await storeAs(people.radiologist, first);
  const count = async () => {
    const rows = await people.radiologist.inScope(({ db }) => db.selectFrom('instances').select('id').execute());
    return rows.length;
  };
  const { id: studyId } = await people.radiologist.inScope(({ db }) =>
    db.selectFrom('studies').select('id').executeTakeFirstOrThrow(),
  );
  return { ...people, uids, first, studyId, count };
};

const sendTo = (person: Person, path: string, accept: string, ...files: TestFile[]) =>
  person.request({
    method: 'POST',
    url: `/api/stow-rs/studies${path}`,
    ...form(...files),
    headers: { ...form(...files).headers, accept },
  });

const stowAs = (person: Person, file: TestFile) =>
  person.request({ method: 'POST', url: '/dicom-web/studies', ...related(file.bytes) });

const failureOf = (answer: DicomJson) => {
  const [item = {}] = itemsOf(answer, 'FailedSOPSequence');
  return numberOf(item, 'FailureReason');
};

test('a user cannot add files to a hidden study, whether by study, series or SOP instance UID', async () => {
  const { referrer, uids, first, count, studyId } = await prepare();
  const { StudyInstanceUID, SeriesInstanceUID, SOPInstanceUID } = uids;
  const files = [
    first,
    image({ ...jane, StudyInstanceUID }),
    image({ ...jane, StudyInstanceUID, PatientID: 'P-2', PatientName: 'Other^Anna', PatientBirthDate: '19700101' }),
    image({ ...jane, StudyInstanceUID, SOPInstanceUID }),
    image({ SeriesInstanceUID }),
    image({ SOPInstanceUID }),
  ];

  const answers = [];
  for (const file of files) answers.push(await stowAs(referrer, file));
  const sentToStudy = await sendTo(referrer, `/${StudyInstanceUID}`, 'application/json', image({ StudyInstanceUID }));
  const text = await sendTo(referrer, '', 'text/plain', image({ StudyInstanceUID }));

  expect(answers.map(({ statusCode }) => statusCode)).toEqual(files.map(() => 409));
  expect(answers.map((answer) => failureOf(answer.json()))).toEqual(files.map(() => 0x0124));
  expect(sentToStudy.json().data).toEqual({ stored: [], refused: [{ name: 'image.dcm', reason: refusal }] });
  expect(text.body).toContain(`image.dcm: ${refusal}`);
  expect([...answers, sentToStudy, text].map(({ body }) => body).join()).not.toMatch(
    new RegExp(`Doe|Jane|P-1|${studyId}`),
  );
  expect(await count()).toBe(1);
});

test('refuses a file only to users who cannot see its study, and stores the other files of the upload', async () => {
  const { referrer, other, uids, studyId, count } = await prepare();
  const ofStudy = () => image({ ...jane, StudyInstanceUID: uids.StudyInstanceUID });

  const mixed = await stowAs(referrer, ofStudy());
  const beside = await sendTo(referrer, '', 'application/json', ofStudy(), image());
  await other.inScope(({ db }) =>
    db.insertInto('study_participants').values({ study_id: studyId, user_id: other.userId, role: 'SHARED' }).execute(),
  );
  const shared = await stowAs(other, ofStudy());
  await other.inScope(({ db }) => db.updateTable('tenants').set({ do_referrers_see_all: true }).execute());
  const widened = await stowAs(await world.signIn('REFERRING_PHYSICIAN', other.tenant), ofStudy());

  expect([mixed, beside, shared, widened].map(({ statusCode }) => statusCode)).toEqual([409, 200, 200, 200]);
  expect(beside.json().data).toMatchObject({ stored: [{}], refused: [{ reason: refusal }] });
  expect(await count()).toBe(4);
});

test('a deleted study reveals nothing to a user who could not see it before its deletion', async () => {
  const { radiologist, referrer, uids } = await prepare();
  await radiologist.inScope(({ db }) =>
    db.updateTable('studies').set({ deleted_at: '2026-11-20T09:30:00Z' }).execute(),
  );

  const [hidden, known] = [
    await stowAs(referrer, image(uids)),
    await sendTo(radiologist, '', 'text/plain', image(uids)),
  ];

  expect(failureOf(hidden.json())).toBe(0x0124);
  expect(known.body).toContain('The study is in the recycle bin.');
});

test('a user may complete an upload of a study that became hidden, but gets no study id', async () => {
  const { referrer, other, radiologist, count } = await prepare();
  const StudyInstanceUID = newUid();
  const next = () => image({ ...jane, StudyInstanceUID });

  const first = await sendTo(referrer, '', 'application/json', next());
  const both = await sendTo(referrer, '', 'application/json', next(), next());
  const others = await stowAs(other, next());

  expect([first, both].map((answer) => answer.json().data.stored)).toEqual([
    [{ name: 'image.dcm' }],
    [{ name: 'image.dcm' }, { name: 'image.dcm' }],
  ]);
  expect(failureOf(others.json())).toBe(0x0124);
  expect(await count()).toBe(4);
  const seen = await sendTo(radiologist, '', 'application/json', next());
  expect(seen.json().data.stored[0].studyId).toMatch(/^[-0-9a-f]{36}$/);
});

test('a patient whose role allows uploads cannot add files to an existing study', async () => {
  const { radiologist, uids, count } = await prepare();
  const patient = await world.signIn('PATIENT', radiologist.tenant);

  const { refused } = await storeInstances(world.context, patient.session, [
    { name: 'a', body: Readable.from([image({ ...jane, ...uids, SOPInstanceUID: newUid() }).bytes]) },
  ]);

  expect(refused).toMatchObject([{ failureReason: 0x0124, reason: refusal }]);
  expect(await count()).toBe(1);
});

test('devices and the server itself can store images of any study, even of one that is hidden', async () => {
  const { radiologist, uids, count } = await prepare();
  const { refused } = await storeInstances(world.context, systemSession(radiologist.tenant.id), [
    { name: 'a', body: Readable.from([image({ ...jane, ...uids, SOPInstanceUID: newUid() }).bytes]) },
  ]);

  expect(refused).toEqual([]);
  expect(await count()).toBe(2);
});
