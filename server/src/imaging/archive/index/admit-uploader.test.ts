import { type DicomJson, textOf } from '@radwork/dicom/dataset';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { getFrom, storeAs } from '#test/archive-calls.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

const jane = { PatientID: 'P-1', PatientName: 'Doe^Jane', PatientBirthDate: '19500101' };
const john = { PatientID: 'P-2', PatientName: 'Roe^John', PatientBirthDate: '19600202' };

/** Creates a radiologist, and a referring physician of the same tenant who may create studies. */
const colleagues = async (): Promise<{ radiologist: Person; referrer: Person }> => {
  const radiologist = await world.signIn();
  await world.inTenant(radiologist.tenant, ({ db }) =>
    db
      .updateTable('roles')
      .set({ permissions: ['study.create', 'study.view'] })
      .where('built_in_for', '=', 'REFERRING_PHYSICIAN')
      .execute(),
  );
  return { radiologist, referrer: await world.signIn('REFERRING_PHYSICIAN', radiologist.tenant) };
};

const foundBy = async (person: Person): Promise<string[]> => {
  const answer = await person.request({ method: 'GET', url: '/api/qido-rs/studies' });
  const results: DicomJson[] = answer.statusCode === 200 ? answer.json() : [];
  return results.map((result) => textOf(result, 'AccessionNumber') ?? '').toSorted((a, b) => a.localeCompare(b));
};

test('a referring physician sees the studies that they uploaded, and later studies of the same patient', async () => {
  const { referrer } = await colleagues();
  const StudyInstanceUID = newUid();

  await storeAs(
    referrer,
    image({ ...jane, AccessionNumber: 'A-1', StudyInstanceUID }),
    image({ ...john, AccessionNumber: 'A-2' }),
  );
  await storeAs(referrer, image({ ...jane, AccessionNumber: 'A-3' }));

  expect(await foundBy(referrer)).toEqual(['A-1', 'A-2', 'A-3']);
  expect((await getFrom(referrer, `/studies/${StudyInstanceUID}/metadata`)).statusCode).toBe(200);
});

test('an upload gives no access to an existing study or patient', async () => {
  const { radiologist, referrer } = await colleagues();
  const StudyInstanceUID = newUid();
  await storeAs(radiologist, image({ ...jane, AccessionNumber: 'A-1', StudyInstanceUID }));

  await expect(storeAs(referrer, image({ ...jane, StudyInstanceUID }))).rejects.toThrow('409');
  await storeAs(referrer, image({ ...jane, AccessionNumber: 'A-2' }));

  expect(await foundBy(referrer)).toEqual([]);
  expect(await foundBy(radiologist)).toEqual(['A-1', 'A-2']);
});

test('a user who sees all studies is not added as participant of an upload', async () => {
  const { radiologist } = await colleagues();

  await storeAs(radiologist, image(jane));

  const parts = await radiologist.inScope(({ db }) => db.selectFrom('study_participants').selectAll().execute());
  expect(parts).toEqual([]);
});
