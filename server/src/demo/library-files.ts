import { createRequire } from 'node:module';
import { ctVolume } from '@radwork/phantom/studies';
import { openImage } from '@radwork/phantom/image-file';
import sharp from 'sharp';
import { fontFiles, isFontFile } from '#reading/report-delivery/pdf/fonts.ts';

export type LibraryFile = { name: string; bytes: Buffer };

/** Hounsfield units: black below `lowest`, white above `lowest` plus `width`. */
const lungWindow = { lowest: -1350, width: 1500 };
const size = 256;

/** One generated slice of a chest CT, as a scanner sends it. */
const slice = (): LibraryFile => {
  const patient = {
    PatientName: 'Teaching^Case',
    PatientID: 'ATLAS-1',
    PatientBirthDate: '19000101',
    PatientSex: 'O',
  } as const;
  const [, middle] = ctVolume({
    seed: 'demo atlas',
    patient,
    studyDate: '20200101',
    accessionNumber: 'ATLAS-1',
    slices: 3,
    size,
  });
  if (!middle) throw new Error('The phantom created no slice');
  return { name: 'chest-slice.dcm', bytes: middle.bytes };
};

/** The same slice with a lung window, as a rendered image. */
const pictureOf = async ({ bytes }: LibraryFile): Promise<LibraryFile> => {
  const { valueAt } = openImage(bytes);
  const grays = Buffer.alloc(size * size);
  for (const at of grays.keys()) {
    const hounsfield = valueAt(Math.floor(at / size), at % size);
    const share = (hounsfield - lungWindow.lowest) / lungWindow.width;
    grays[at] = Math.round(255 * Math.min(1, Math.max(0, share)));
  }
  const raw = { width: size, height: size, channels: 1 } as const;
  return { name: 'lung-window.png', bytes: await sharp(grays, { raw }).png().toBuffer() };
};

type PdfMake = {
  setFonts: (fonts: typeof fontFiles) => void;
  setUrlAccessPolicy: (mayRead: (url: string) => boolean) => void;
  setLocalAccessPolicy: (mayRead: (path: string) => boolean) => void;
  createPdf: (page: object) => { getBuffer: () => Promise<Buffer> };
};

/** A PDF page with a title and a checklist. */
export const checklist = async (name: string, title: string, points: readonly string[]): Promise<LibraryFile> => {
  // Imported here, because only the first start of a demo needs it.
  const pdfmake: PdfMake = createRequire(import.meta.url)('pdfmake');
  pdfmake.setFonts(fontFiles);
  pdfmake.setUrlAccessPolicy(() => false);
  pdfmake.setLocalAccessPolicy(isFontFile);
  const page = {
    info: { title, creationDate: new Date('2026-01-01T00:00:00Z') },
    defaultStyle: { font: 'Tinos', fontSize: 12, lineHeight: 1.3 },
    content: [{ text: title, fontSize: 18, bold: true, margin: [0, 0, 0, 12] }, { ol: points }],
  };
  return { name, bytes: await pdfmake.createPdf(page).getBuffer() };
};

export const chestImages = async (): Promise<LibraryFile[]> => {
  const dicom = slice();
  return [await pictureOf(dicom), dicom];
};
