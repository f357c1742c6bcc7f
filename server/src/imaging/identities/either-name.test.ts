import { patients } from '@radwork/contract/imaging/patients';
import { reports } from '@radwork/contract/reading/reports';
import { search } from '@radwork/contract/insight/search';
import { studies } from '@radwork/contract/imaging/studies';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { findInArchive } from '#imaging/dimse/archive-queries.ts';
import { storeAs } from '#test/archive-calls.ts';
import { identitySteps, maria, piotr, studyOf } from '#test/identity-steps.ts';
import { beginReport } from '#test/report-steps.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { mixed, decide } = identitySteps(world);

/** A study with images of Alpha and of Kowalski, filed under Alpha. */
const mixedInPlace = async () => {
  const admin = await world.signIn('ADMIN');
  const radiologist = await world.signIn('RADIOLOGIST', admin.tenant);
  const StudyInstanceUID = newUid();
  await storeAs(admin, image({ ...maria, StudyInstanceUID }));
  await storeAs(admin, image({ ...piotr, StudyInstanceUID }));
  return { admin, radiologist, study: await studyOf(admin, StudyInstanceUID) };
};

type Row = { identity?: { otherName: string } | null | undefined };

const marked = (name: string, { identity }: Row) => (identity ? `${name} or ${identity.otherName}` : name);

/** The rows that each list finds by a name, and the marks of these rows. */
const lists: Record<string, (person: Person, name: string) => Promise<string[]>> = {
  'the patient list': async (person, name) => {
    const { data } = await person.send(patients.list, { query: { searchQuery: name } });
    return data.content.map((row) => marked(row.patientName, row));
  },
  'the study list': async (person, name) => {
    const { data } = await person.send(studies.search, { query: { query: name } });
    return data.content.map((row) => marked(row.patient.patientName, row));
  },
  'the report list': async (person, name) => {
    const { data } = await person.send(reports.list, { query: { query: name } });
    return data.content.map((row) => marked(row.patientName, row));
  },
  'the global search for patients': async (person, name) => {
    const { data } = await person.send(search.everywhere, { query: { q: name } });
    return data.patients.map((row) => marked(row.patientName, row));
  },
  'the global search for studies': async (person, name) => {
    const { data } = await person.send(search.everywhere, { query: { q: name } });
    return data.studies.map((row) => marked(row.patient.patientName, row));
  },
  'the global search for reports': async (person, name) => {
    const { data } = await person.send(search.everywhere, { query: { q: name } });
    return data.reports.map((row) => marked(row.patientName, row));
  },
};

test.each(Object.entries(lists))(
  '%s finds a provisional patient by either name and marks the patient',
  async (_, find) => {
    const { radiologist, known, study } = await mixed();
    await beginReport(radiologist, known.id);
    await beginReport(radiologist, study.id);

    expect(await find(radiologist, 'kowalski')).toEqual(['Kowalski, Piotr or Alpha, Maria']);
    expect((await find(radiologist, 'Alpha')).toSorted()).toEqual(['Alpha, Maria', 'Kowalski, Piotr or Alpha, Maria']);
  },
);

test.each(Object.entries(lists))(
  '%s finds a study with images of two people by either name and marks the study',
  async (_, find) => {
    const { radiologist, study } = await mixedInPlace();
    await beginReport(radiologist, study.id);

    expect(await find(radiologist, 'kowalski')).toEqual(['Alpha, Maria or Kowalski, Piotr']);
    expect(await find(radiologist, 'alpha, maria')).toEqual(['Alpha, Maria or Kowalski, Piotr']);
  },
);

test('after the decision, each list finds the study only by the name of its patient, without a mark', async () => {
  const { admin, radiologist, study } = await mixed();
  await beginReport(radiologist, study.id);
  await decide(admin, 'ANOTHER_PERSON');

  for (const find of Object.values(lists)) expect(await find(radiologist, 'kowalski')).toEqual(['Kowalski, Piotr']);
  const byOther = await Promise.all(Object.values(lists).map((find) => find(radiologist, 'alpha')));
  expect(byOther.flat().filter((row) => row !== 'Alpha, Maria')).toEqual([]);
});

const names = { alpha: 'Alpha^Maria', kowalski: 'Kowalski^Piotr' };
const mark = 'Identity to be confirmed';

type SearchResult = Record<string, { Value?: unknown[] } | undefined>;

const qido = async (person: Person, query: Record<string, string>, level = 'studies'): Promise<string[]> => {
  const answer = await person.request({ method: 'GET', url: `/api/qido-rs/${level}`, query });
  const results = answer.statusCode === 204 ? [] : (answer.json() as SearchResult[]);
  return results
    .map((result) => {
      const [name] = (result['00100010']?.Value ?? []) as { Alphabetic: string }[];
      return [name?.Alphabetic, ...(result['00104000']?.Value ?? [])].join(': ');
    })
    .toSorted();
};

test.each([
  ['the beginning of a name', { PatientName: 'kowal*' }, { PatientName: 'alpha*' }],
  [
    'the beginning of a name, with additional fields in the answer,',
    { PatientName: 'kowal*', includefield: 'PatientAge' },
    { PatientName: 'alpha*', includefield: 'PatientAge' },
  ],
  ['a whole name', { PatientName: 'Kowalski^Piotr' }, { PatientName: 'Alpha^Maria' }],
  ['a part of a name', { PatientName: '*owalsk*' }, { PatientName: '*lpha*' }],
  [
    'fuzzy words',
    { PatientName: 'piotr kowalski', fuzzymatching: 'true' },
    { PatientName: 'maria alpha', fuzzymatching: 'true' },
  ],
  [
    'a name and a modality',
    { PatientName: 'kowal*', ModalitiesInStudy: 'CT' },
    { PatientName: 'alpha*', ModalitiesInStudy: 'CT' },
  ],
])('QIDO-RS finds a study with an identity question by %s of either person and marks it', async (_, byOwn, byOther) => {
  const { radiologist } = await mixed();

  expect(await qido(radiologist, byOwn)).toEqual([`${names.kowalski}: ${mark}`]);
  expect(await qido(radiologist, byOther)).toEqual([names.alpha, `${names.kowalski}: ${mark}`]);
});

test('QIDO-RS finds a study with images of two people, and its series, by the name in its images', async () => {
  const { radiologist } = await mixedInPlace();

  expect(await qido(radiologist, { PatientName: 'kowal*' })).toEqual([`${names.alpha}: ${mark}`]);
  expect(await qido(radiologist, { PatientName: 'kowal*' }, 'series')).toHaveLength(2);
});

test('C-FIND finds a study with an identity question by either name, and marks it on request', async () => {
  const { admin } = await mixed();
  const find = (name: string) =>
    admin.inScope(async (scope) => {
      const identifier = {
        '00080052': { vr: 'CS', Value: ['STUDY'] },
        '00100010': { vr: 'PN', Value: [{ Alphabetic: name }] },
        '00104000': { vr: 'LT' },
      };
      const matches = await findInArchive(scope, identifier, 'RADWORK', 10);
      return matches
        .map((match) =>
          [match['PatientName'], match['PatientComments']]
            .flat()
            .filter((value) => typeof value === 'string')
            .join(': '),
        )
        .toSorted();
    });

  expect(await find('KOWALSKI*')).toEqual([`${names.kowalski}: ${mark}`]);
  expect(await find('Alpha^Maria')).toEqual([names.alpha, `${names.kowalski}: ${mark}`]);
});

test("a referring physician without access to the other patient neither finds nor sees that patient's name", async () => {
  const { admin, study } = await mixed();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', admin.tenant);
  await world.inTenant(admin.tenant, ({ db }) =>
    db
      .insertInto('study_participants')
      .values({ study_id: study.id, user_id: referrer.userId, role: 'REFERRER' })
      .execute(),
  );

  const results = await Promise.all(Object.values(lists).map((find) => find(referrer, 'alpha')));
  const own = await lists['the patient list']?.(referrer, 'kowalski');

  expect(results.flat()).toEqual([]);
  expect(await qido(referrer, { PatientName: 'alpha*' })).toEqual([]);
  expect(own).toEqual(['Kowalski, Piotr or ']);
});
