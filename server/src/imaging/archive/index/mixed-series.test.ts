import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { studies } from '@radwork/contract/imaging/studies';
import type { Elements } from '@radwork/dicom/part10';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { storeAs } from '#test/archive-calls.ts';
import { image, type TestFile } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

const structuredReport = { SOPClassUID: '1.2.840.10008.5.1.4.1.1.88.33', Rows: undefined, Columns: undefined };

/** Files of one series; each has its own modality. Reports and documents have no pixels. */
const seriesOf = (...contents: Elements[]): TestFile[] => {
  const uids = { StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), PatientID: newUid().slice(-16) };
  return contents.map((content, at) =>
    image(
      { ...uids, SOPInstanceUID: newUid(), InstanceNumber: at + 1, ...content },
      'SOPClassUID' in content ? { pixelData: null } : {},
    ),
  );
};

const ultrasound = { Modality: 'US' };
const report = { Modality: 'SR', ...structuredReport };

const storedOf = (person: Person) =>
  person.inScope(async ({ db }) => ({
    study: await db.selectFrom('studies').select(['modality', 'modalities']).executeTakeFirstOrThrow(),
    series: await db.selectFrom('series').select('modality').executeTakeFirstOrThrow(),
  }));

const countOf = async (person: Person, modality: string) => {
  const answer = await person.request({ method: 'GET', url: `/api/qido-rs/studies?ModalitiesInStudy=${modality}` });
  return answer.body === '' ? 0 : answer.json<unknown[]>().length;
};

test('the images of a series decide its modality, even if a report of the series arrived first', async () => {
  const person = await world.signIn();
  for (const file of seriesOf(report, ultrasound)) await storeAs(person, file);

  const { study, series } = await storedOf(person);

  expect(series.modality).toBe('US');
  expect(study.modality).toBe('US');
  expect(study.modalities.toSorted()).toEqual(['SR', 'US']);
  expect([await countOf(person, 'US'), await countOf(person, 'SR'), await countOf(person, 'CT')]).toEqual([1, 1, 0]);
});

test('the images of a series decide its modality, even if a report of the series arrives later', async () => {
  const person = await world.signIn();
  for (const file of seriesOf(ultrasound, report)) await storeAs(person, file);

  const { study, series } = await storedOf(person);

  expect([series.modality, study.modality, study.modalities.toSorted()]).toEqual(['US', 'US', ['SR', 'US']]);
});

test('a series of CT, PT and a report in one upload has the modality of the first images; its study has all', async () => {
  const person = await world.signIn();
  await storeAs(person, ...seriesOf(report, { Modality: 'CT' }, { Modality: 'PT' }));

  const { study, series } = await storedOf(person);

  expect([series.modality, study.modality, study.modalities.toSorted()]).toEqual(['CT', 'CT', ['CT', 'PT', 'SR']]);
});

test('images decide the modality of a series, even if a document has the modality of a device', async () => {
  const person = await world.signIn();
  const pdf = { Modality: 'ECG', ...structuredReport, SOPClassUID: '1.2.840.10008.5.1.4.1.1.104.1' };
  for (const file of seriesOf(pdf, ultrasound)) await storeAs(person, file);

  const { study, series } = await storedOf(person);

  expect([series.modality, study.modality, study.modalities.toSorted()]).toEqual(['US', 'US', ['ECG', 'US']]);
});

/** Files of a public report, made for this project. Without them, the test is skipped. */
const cases = ['../../../../../..', '../../../../../../../..']
  .map((way) => resolve(import.meta.dirname, way, 'shared/cases/archive'))
  .find((folder) => existsSync(folder));

test.skipIf(cases === undefined)(
  'the series of the reported case is found as ultrasound, although it also has a structured report',
  async () => {
    const person = await world.signIn();
    for (const name of ['sonoscape-1-sr.dcm', 'sonoscape-2-us.dcm']) {
      await storeAs(person, { name, bytes: readFileSync(join(cases ?? '', name)) });
    }

    const { study, series } = await storedOf(person);

    expect([series.modality, study.modality, study.modalities.toSorted()]).toEqual(['US', 'US', ['SR', 'US']]);
  },
);

test.each([
  ['localizers alone', ['LOCALIZER', 'LOCALIZER'], true],
  ['a localizer and slices', ['LOCALIZER', 'AXIAL'], false],
  ['images whose header does not tell', ['LOCALIZER', 'M'], null],
])('a series of %s says so by the headers, whatever its name', async (_, kinds, expected) => {
  const person = await world.signIn();
  const named = { Modality: 'CT', SeriesDescription: 'Topogram' };
  await storeAs(person, ...seriesOf(...kinds.map((kind) => ({ ...named, ImageType: ['ORIGINAL', 'PRIMARY', kind] }))));
  const { id } = await person.inScope(({ db }) => db.selectFrom('studies').select('id').executeTakeFirstOrThrow());

  const { data } = await person.send(studies.get, { params: { id } });

  expect(data.series.map(({ isLocalizer }) => isLocalizer)).toEqual([expected]);
});
