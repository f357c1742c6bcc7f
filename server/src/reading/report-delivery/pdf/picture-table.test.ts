import { type ImageLook, keyImages } from '@radwork/contract/reading/key-images';
import { type PictureCase, pictureCases, pixelDataOf } from '@radwork/phantom/picture-cases';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { storeAs } from '#test/archive-calls.ts';
import { comparedWith, tolerance } from '#test/compare-pictures.ts';
import { image } from '#test/multipart-upload.ts';
import { hasPoppler, imageFilesOfPdf, resolutionsOfPdf } from '#test/poppler.ts';
import { reportDocument } from '#test/report-document.ts';
import { createWorld } from '#test/world.ts';
import { printReport } from './print-report.ts';
import { plainLook } from '#test/plain-look.ts';

const world = await createWorld();

/** Marks an image as a key image, and returns its picture as a data address. */
const keyImageOf = async (one: PictureCase): Promise<string> => {
  const author = await world.signIn();
  await storeAs(author, image(one.elements, { pixelData: pixelDataOf(one) }));
  const stored = await author.inScope(({ db }) =>
    db
      .selectFrom('instances as i')
      .innerJoin('series as s', 's.id', 'i.series_id')
      .select(['s.study_id', 's.series_instance_uid', 'i.sop_instance_uid'])
      .executeTakeFirstOrThrow(),
  );
  const look: ImageLook = { ...plainLook, window: one.range };
  const params = { id: stored.study_id, keyImageId: newId() };
  const ids = { seriesInstanceUID: stored.series_instance_uid, sopInstanceUID: stored.sop_instance_uid };
  await author.send(keyImages.save, { params, body: { ...ids, frame: 1, note: '', look, revision: 0 } });

  const { data } = await author.send(keyImages.picture, { params });

  return data.src;
};

const fileIn = (address: string): Buffer => Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');

test.each(pictureCases)('$name: a key image is right', async (one) => {
  const { shape, difference } = await comparedWith(one, fileIn(await keyImageOf(one)));

  expect(shape).toBeCloseTo(one.shape.wide / one.shape.tall);
  expect(difference).toBeLessThan(tolerance(one, true));
});

test.skipIf(!hasPoppler).each(pictureCases)('$name: a key image in a printed report is right', async (one) => {
  const pdf = await printReport(reportDocument(`<p>Nodule.</p><img src="${await keyImageOf(one)}">`));

  const [file, ...others] = await imageFilesOfPdf(pdf);
  if (!file) throw new Error('The report has no image');
  expect(others).toEqual([]);
  const { shape, difference } = await comparedWith(one, file);
  expect(shape).toBeCloseTo(one.shape.wide / one.shape.tall);
  expect(difference).toBeLessThan(tolerance(one, true));
  // The paper shows the proportions of the file.
  const [{ across, down } = { across: 0, down: 1 }] = resolutionsOfPdf(pdf);
  expect(across / down).toBeCloseTo(1, 1);
});
