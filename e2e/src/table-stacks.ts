import type { Page } from '@playwright/test';
import { readHeader } from '@radwork/dicom/header';
import type { Elements, Part10 } from '@radwork/dicom/part10';
import { side, smallStack, type StackFile } from './small-stacks.ts';
import { pictureOn, placementOf } from './viewer-steps.ts';

/** Gray images without rescale and without a window. */
const plain: Elements = {
  Modality: 'DX',
  BitsAllocated: 16,
  BitsStored: 12,
  HighBit: 11,
  PixelRepresentation: 0,
  RescaleIntercept: undefined,
  RescaleSlope: undefined,
  RescaleType: undefined,
  WindowCenter: undefined,
  WindowWidth: undefined,
};

const words = (count: number, valueOf: (index: number) => number): Buffer =>
  Buffer.from(Uint16Array.from({ length: count }, (_, index) => valueOf(index)).buffer);

const pixels = (valueOf: (row: number, column: number) => number): Buffer =>
  words(side * side, (at) => valueOf(Math.floor(at / side), at % side));

/** All values of 12 bits, decreasing to the right and slightly downwards. */
const falling = pixels((row, column) => 4095 - column * 64 - (row >> 4) * 8);

/** An S-curve of 4096 entries, as in radiographs. It is long enough to be stored outside the header. */
const curve = (steepness: number) => ({
  LUTDescriptor: [4096, 0, 12],
  LUTData: words(4096, (value) => Math.round(4095 / (1 + Math.exp((-steepness * (value - 2600)) / 4096)))),
});

const paletteOf = (
  descriptor: number[],
  data: (part: 0 | 1 | 2) => Buffer,
  segmented: '' | 'Segmented' = '',
): Elements => {
  const colorTable = (name: string, part: 0 | 1 | 2): Elements => ({
    [`${name}PaletteColorLookupTableDescriptor`]: descriptor,
    [`${segmented}${name}PaletteColorLookupTableData`]: data(part),
  });
  return {
    ...plain,
    PhotometricInterpretation: 'PALETTE COLOR',
    ...colorTable('Red', 0),
    ...colorTable('Green', 1),
    ...colorTable('Blue', 2),
  };
};

const part = (index: number, of: 0 | 1 | 2, highest: number): number =>
  [index, highest - index, Math.abs(highest - 2 * index)][of] ?? 0;

type TestImage = { elements: Elements; pixelData: Part10['pixelData'] };

/** Eight bytes per row. Edges of white lie between the compared points, since the screen mixes colors there. */
const singleBits = Buffer.from(
  Uint8Array.from({ length: (side * side) / 8 }, (_, at) => {
    const [row, byte] = [Math.floor(at / 8), at % 8];
    if (byte < 2) return byte === 0 ? 0xff : 0x0f;
    return (byte >= 6 && row < 16) || (byte >= 3 && row >= 40) ? 0xff : 0;
  }),
);

const ofTables = (): Record<string, TestImage> => ({
  'a table of greys': {
    elements: { ...plain, VOILUTSequence: [{ ...curve(12), LUTExplanation: 'STANDARD' }] },
    pixelData: falling,
  },
  'a table of greys, lowest white': {
    elements: { ...plain, PhotometricInterpretation: 'MONOCHROME1', VOILUTSequence: [curve(7)] },
    pixelData: falling,
  },
  'a table of values': {
    elements: {
      ...plain,
      ModalityLUTSequence: [
        {
          LUTDescriptor: [4096, 0, 16],
          LUTData: words(4096, (value) => value * 2 + (value > 2000 ? 1500 : 0)),
          ModalityLUTType: 'OD',
        },
      ],
      WindowCenter: 5000,
      WindowWidth: 8000,
    },
    pixelData: falling,
  },
  'greys to be turned over': {
    elements: { ...plain, PresentationLUTShape: 'INVERSE', WindowCenter: 1500, WindowWidth: 2000 },
    pixelData: falling,
  },
  'a palette in segments': {
    elements: paletteOf(
      [256, 0, 16],
      (of) =>
        Buffer.concat([
          words(3, (at) => [0, 1, part(0, of, 255) * 256][at] ?? 0),
          words(3, (at) => [1, 127, part(127, of, 255) * 256][at] ?? 0),
          words(3, (at) => [1, 128, part(255, of, 255) * 256][at] ?? 0),
        ]),
      'Segmented',
    ),
    pixelData: pixels((row, column) => column * 4 + (row >> 5)),
  },
  'a palette of 65,536 entries': {
    elements: {
      ...paletteOf([0, 0, 16], (of) => words(65_536, (index) => part(index, of, 65_535))),
      BitsStored: 16,
      HighBit: 15,
    },
    pixelData: pixels((row, column) => column * 1024 + row),
  },
  'a palette in bytes': {
    elements: paletteOf([256, 0, 8], (of) =>
      Buffer.from(Array.from({ length: 256 }, (_, index) => part(index, of, 255))),
    ),
    pixelData: pixels((row, column) => column * 4 + (row >> 5)),
  },
  'a palette that is dark in red': {
    elements: paletteOf([256, 0, 16], (of) => words(256, (index) => (of === 0 ? 0 : part(index, of, 255) * 256))),
    pixelData: pixels((row, column) => column * 4 + (row >> 5)),
  },
  'single bits': {
    elements: { ...plain, Modality: 'OT', BitsAllocated: 1, BitsStored: 1, HighBit: 0 },
    pixelData: singleBits,
  },
});

/** One study per image, named after the lookup tables of its values. */
export const tableStacks = () =>
  Object.entries(ofTables()).map(([name, { elements, ...file }]) => {
    const study = `tables ${name}`;
    return { name, study, files: smallStack(study, name, 1, () => ({ elements, file })) };
  });

/** Pixels of an image as the server renders it (WADO-RS rendered, PS3.18 §8.7.4): red, green, blue and alpha. */
const drawnByServer = (page: Page, { bytes }: StackFile): Promise<number[]> => {
  const { studyInstanceUID, seriesInstanceUID, sopInstanceUID } = readHeader(bytes);
  const instance = `studies/${studyInstanceUID}/series/${seriesInstanceUID}/instances/${sopInstanceUID}`;
  return page.evaluate(async (path) => {
    const answer = await fetch(path, { headers: { authorization: `Bearer ${localStorage.getItem('token')}` } });
    const picture = await createImageBitmap(await answer.blob());
    const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
    context?.drawImage(picture, 0, 0);
    return [...(context?.getImageData(0, 0, picture.width, picture.height).data ?? [])];
  }, `/api/wado-rs/${instance}/rendered?accept=image/png`);
};

/** Largest color difference between viewer and server for an image. */
export const farthestFromServer = async (page: Page, file: StackFile): Promise<number> => {
  const [expectedPixels, picture] = [await drawnByServer(page, file), await pictureOn(page)];
  const { of } = placementOf(picture, { rows: side, columns: side });
  let farthest = 0;
  for (let row = 2; row < side; row += 6) {
    for (let column = 1; column < side; column += 3) {
      const { red, green, blue } = picture.at(of({ row, column }));
      const expected = expectedPixels.slice(4 * (row * side + column));
      farthest = Math.max(farthest, ...[red, green, blue].map((value, at) => Math.abs(value - (expected[at] ?? 999))));
    }
  }
  return farthest;
};
