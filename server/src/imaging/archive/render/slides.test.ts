import { studies } from '@radwork/contract/imaging/studies';
import { readHeader } from '@radwork/dicom/header';
import { patients } from '@radwork/phantom/patients';
import { slideColors } from '@radwork/phantom/slide';
import { slidePyramid, type SlideOptions } from '@radwork/phantom/studies';
import { expect, test } from 'vitest';
import { getFrom, storeAs } from '#test/archive-calls.ts';
import { pixelsOf } from '#test/rendered-images.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();

/** Stores a slide in its smallest level, with label and overview, and returns the paths of study and largest image. */
const storedSlide = async (more: Partial<SlideOptions> = {}) => {
  const person = await world.signIn();
  const options = { seed: 'slides', patient: patients[4], studyDate: '20261112', accessionNumber: 'SL-1' };
  const files = [...slidePyramid({ ...options, isCompressed: false, factors: [8], ...more })];
  await storeAs(person, ...files);
  const { studyInstanceUID, seriesInstanceUID, sopInstanceUID } = readHeader(files[0]?.bytes ?? Buffer.alloc(0));
  const series = `/studies/${studyInstanceUID}/series/${seriesInstanceUID}`;
  return { person, studyInstanceUID, series, largest: `${series}/instances/${sopInstanceUID}` };
};

test('the thumbnail of a slide shows its tissue without padding, and not its label', async () => {
  const { person, series } = await storedSlide();

  const { rawPayload } = await getFrom(person, `${series}/rendered?viewport=192,192&accept=image/png`);
  const { pixels, columns, rows } = await pixelsOf(rawPayload);

  // 250 x 175 pixels of a tile with 256 x 256.
  expect([columns, rows]).toEqual([192, 134]);
  const at = (x: number, y: number) => pixels.slice(3 * (y * columns + x), 3 * (y * columns + x) + 3);
  expect(at(160, 37)).toEqual([...slideColors.mark]);
  expect(at(190, 132)).toEqual([...slideColors.glass]);
});

test('the images of a slide are counted as slide images, not as other images', async () => {
  const { person, studyInstanceUID } = await storedSlide();

  const { data } = await person.send(studies.getByUid, { params: { studyUid: studyInstanceUID } });

  expect(data.series.map(({ contents }) => contents)).toEqual([
    { images: 0, documents: 0, others: 0, videos: 0, slides: 3 },
  ]);
});

test('a tile of a sparse slide is rendered like that of any other', async () => {
  const { person, largest } = await storedSlide({ organization: 'TILED_SPARSE', factors: [1], hasLabel: false });

  const { statusCode, rawPayload } = await getFrom(person, `${largest}/frames/6/rendered?accept=image/png`);

  expect(statusCode).toBe(200);
  expect(await pixelsOf(rawPayload)).toMatchObject({ columns: 256, rows: 256 });
});
