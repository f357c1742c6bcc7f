import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { getFrom, partsOf, storeAs } from '#test/archive-calls.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();
const accept = 'multipart/related; type="application/dicom+xml"';

const withStudy = async () => {
  const person = await world.signIn();
  const [StudyInstanceUID, SeriesInstanceUID] = [newUid(), newUid()];
  const study = { StudyInstanceUID, PatientID: 'P-1' };
  await storeAs(
    person,
    image({
      ...study,
      SeriesNumber: 2,
      SeriesInstanceUID,
      SOPInstanceUID: `${SeriesInstanceUID}.2`,
      InstanceNumber: 2,
    }),
    image({
      ...study,
      SeriesNumber: 2,
      SeriesInstanceUID,
      SOPInstanceUID: `${SeriesInstanceUID}.1`,
      InstanceNumber: 1,
    }),
    image({ ...study, SeriesNumber: 1, InstanceNumber: 7 }),
  );
  const path = `/studies/${StudyInstanceUID}`;
  const series = `${path}/series/${SeriesInstanceUID}`;
  return { person, study: path, series, instance: `${series}/instances/${SeriesInstanceUID}.2` };
};

test('returns metadata of a study, a series and an instance in XML, one part per instance', async () => {
  const { person, study, series, instance } = await withStudy();
  const numbersOf = async (path: string) => {
    const parts = await partsOf(await getFrom(person, `${path}/metadata`, { accept }));
    return parts.map(({ body, contentType }) => {
      expect(contentType).toBe('application/dicom+xml');
      return /keyword="InstanceNumber"><Value number="1">(\d+)</.exec(body.toString())?.[1];
    });
  };

  expect(await numbersOf(study)).toEqual(['7', '1', '2']);
  expect(await numbersOf(series)).toEqual(['1', '2']);
  expect(await numbersOf(instance)).toEqual(['2']);
});

test('prefers JSON for clients that accept XML and JSON, and refuses clients that accept neither', async () => {
  const { person, study, series } = await withStudy();

  const both = await getFrom(person, `${study}/metadata`, { accept: `${accept}, application/dicom+json` });
  const neither = await getFrom(person, `${series}/metadata`, { accept: 'multipart/related; type="image/png"' });

  expect(both.headers['content-type']).toBe('application/dicom+json');
  expect(neither.statusCode).toBe(406);
});

test('does not find missing data and data of other tenants in XML either', async () => {
  const { person, study, series } = await withStudy();
  const stranger = await world.signIn();

  const statuses = [
    await getFrom(stranger, `${study}/metadata`, { accept }),
    await getFrom(person, `${study}/series/${newUid()}/metadata`, { accept }),
    await getFrom(person, `${series}/instances/${newUid()}/metadata`, { accept }),
  ].map(({ statusCode }) => statusCode);

  expect(statuses).toEqual([404, 404, 404]);
});
