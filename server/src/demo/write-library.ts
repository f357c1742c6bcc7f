import { Readable } from 'node:stream';
import { atlasFiles, atlasForm } from '@radwork/contract/knowledge/atlas';
import { guidelineFiles, guidelineForm } from '@radwork/contract/knowledge/guidelines';
import { createUploadSlots } from '#imaging/archive/store/upload-slots.ts';
import type { Context } from '#core/context.ts';
import type { Session } from '#core/access/scope.ts';
import { entries } from '#knowledge/atlas/service.ts';
import { texts } from '#knowledge/guidelines/service.ts';
import { storeUpload } from '#imaging/stored-files/store-upload.ts';
import { checklist, chestImages, type LibraryFile } from './library-files.ts';

const chest = { modality: 'CT', bodyPart: 'CHEST' } as const;
const notForCare = 'Example for trying Radwork. Not for patient care.';

const lookAtNodules = [
  'Review thin slices and a maximum intensity projection.',
  'Measure the long and short axis on the same slice.',
  'State the density: solid, part-solid or ground-glass.',
  'Look for fat and benign calcification patterns.',
  'Compare with the oldest available images, not only the most recent.',
];

/** An upload as from a form, with the files in memory. */
const uploadOf = <B>(body: B, files: readonly LibraryFile[]) => ({
  read: async (take: (file: { name: string; body: AsyncIterable<Buffer> }) => Promise<void>): Promise<B> => {
    for (const { name, bytes } of files) await take({ name, body: Readable.from([bytes]) });
    return body;
  },
});

/**
 * Creates atlas entries and guidelines for the chest CTs, with several kinds of files. Does nothing when they exist.
 */
export const writeLibrary = async (context: Context, author: Session): Promise<void> => {
  const slots = createUploadSlots(context.config);
  const isWritten = (table: 'atlases' | 'guidelines', title: string) =>
    context.scopes.inTenant(author, ({ db }) =>
      db.selectFrom(table).select('id').where('title', '=', title).executeTakeFirst(),
    );
  const addEntry = async (form: { title: string; summary: string }, files: readonly LibraryFile[]) =>
    (await isWritten('atlases', form.title)) ||
    storeUpload(
      { archive: context, slots, accept: atlasFiles },
      author,
      uploadOf(atlasForm.parse({ ...chest, author: author.name, ...form }), files),
      entries.create,
    );
  const addGuideline = async (
    form: { title: string; content: string; modality?: string },
    files: readonly LibraryFile[],
  ) =>
    (await isWritten('guidelines', form.title)) ||
    storeUpload(
      { archive: context, slots, accept: guidelineFiles },
      author,
      uploadOf(guidelineForm.parse({ ...chest, author: author.name, ...form }), files),
      texts.create,
    );

  await addEntry(
    {
      title: 'Chest CT in the lung window',
      summary: `Contrast-enhanced slice at the level of the heart. Vessels taper toward the pleura; a nodule does not.\n\n${notForCare}`,
    },
    await chestImages(),
  );
  await addEntry(
    {
      title: 'Pulmonary nodules: what to look for',
      summary: `Size, density, margin, location and growth determine management. The page lists the five steps.\n\n${notForCare}`,
    },
    [await checklist('nodule-checklist.pdf', 'Pulmonary nodules: what to look for', lookAtNodules)],
  );
  await addGuideline(
    {
      title: 'How we report a chest CT',
      content: [
        'Order of the findings',
        '  1. Lungs and airways',
        '  2. Pleura',
        '  3. Mediastinum and hila',
        '  4. Heart and vessels',
        '  5. Chest wall, bones, upper abdomen',
        '',
        'The impression answers the clinical question first.',
        '',
        notForCare,
      ].join('\n'),
    },
    [{ name: 'order-of-findings.txt', bytes: Buffer.from('Lungs, pleura, mediastinum, heart, chest wall\n') }],
  );
  await addGuideline(
    {
      title: 'Critical findings: communication',
      modality: '',
      content: `Call the referring physician in person and ask for a read-back.\nRecord the recipient and the time in Radwork.\n\n${notForCare}`,
    },
    [],
  );
};
