import { writePart10, type Elements, type Part10 } from '@radwork/dicom/part10';
import { uidFrom } from '@radwork/dicom/uid';
import { chestInHounsfield } from './chest.ts';
import { ctImageStorage, rescaleIntercept } from './ct.ts';
import { axial, planeAround } from './geometry.ts';
import { explicitLittleEndian, grayscaleElements, planeElements, storedPixels } from './image-elements.ts';
import { imageOf } from './scene.ts';
import { fileName, type PhantomFile } from './study.ts';

/**
 * One small valid CT image. `overrides` replaces elements; an undefined element is removed. The pixels match Rows and
 * Columns, unless `pixelData` gives other pixels, or null for none.
 */
export const simpleInstance = (
  overrides: Elements = {},
  file: { transferSyntaxUID?: string; pixelData?: Part10['pixelData'] | null } = {},
): Buffer => {
  const dataset: Elements = { ...simpleElements, ...overrides };
  const pixelData =
    file.pixelData === undefined ? rampOf(Number(dataset['Rows']) * Number(dataset['Columns'])) : file.pixelData;
  return writePart10({
    transferSyntaxUID: file.transferSyntaxUID ?? explicitLittleEndian,
    dataset,
    ...(pixelData && { pixelData }),
  });
};

/**
 * Many full-size CT images of one series, made quickly: they share the pixels of one slice. Only the first pixel
 * differs and holds the image number. An image of 512 rows has about 526,000 bytes.
 */
export function* largeInstances(count: number, size = 512): Generator<PhantomFile> {
  const plane = planeAround([0, 0, 0], axial, { rows: size, columns: size, pixelSpacing: 400 / size });
  const image = imageOf(chestInHounsfield, plane, { floor: 16, share: 0 }, 'large instances');
  const pixelData = storedPixels(image, 16, (hounsfield) => hounsfield - rescaleIntercept);
  for (let number = 1; number <= count; number += 1) {
    pixelData.writeUInt16LE(number % 65_536);
    const [left, posterior] = plane.position;
    const dataset: Elements = {
      ...simpleElements,
      ...planeElements({ ...plane, position: [left, posterior, -number] }, uid('large', 'frame of reference'), 1),
      ...grayscaleElements(plane, 16),
      StudyInstanceUID: uid('large', count, size),
      SeriesInstanceUID: uid('large', count, size, 'series'),
      SOPInstanceUID: uid('large', count, size, number),
      InstanceNumber: number,
    };
    yield {
      name: fileName('CT', number),
      bytes: writePart10({ transferSyntaxUID: explicitLittleEndian, dataset, pixelData }),
    };
  }
}

const uid = (...parts: readonly (string | number)[]): string => uidFrom('instance', ...parts);

const smallPlane = planeAround([0, 0, 0], axial, { rows: 16, columns: 16, pixelSpacing: 2 });

const simpleElements: Elements = {
  SOPClassUID: ctImageStorage,
  SOPInstanceUID: uid('simple', 'image'),
  SeriesInstanceUID: uid('simple', 'series'),
  StudyInstanceUID: uid('simple', 'study'),
  PatientName: 'Phantom^Simple',
  PatientID: 'SIMPLE-1',
  PatientBirthDate: '19700101',
  PatientSex: 'O',
  StudyDate: '20261102',
  StudyTime: '101500',
  StudyID: '1',
  StudyDescription: 'CT Chest',
  AccessionNumber: 'A-1',
  ReferringPhysicianName: 'Moreau^Claire^^Dr',
  Modality: 'CT',
  SeriesNumber: 1,
  SeriesDescription: 'Simple',
  SeriesDate: '20261102',
  SeriesTime: '101600',
  BodyPartExamined: 'CHEST',
  PatientPosition: 'HFS',
  Manufacturer: 'Radwork',
  ImageType: ['ORIGINAL', 'PRIMARY', 'AXIAL'],
  InstanceNumber: 1,
  AcquisitionNumber: 1,
  KVP: 120,
  ...planeElements(smallPlane, uid('simple', 'frame of reference'), 2),
  ...grayscaleElements(smallPlane, 16),
  RescaleIntercept: rescaleIntercept,
  RescaleSlope: 1,
  RescaleType: 'HU',
  WindowCenter: 40,
  WindowWidth: 400,
};

/** Stored values that rise by one with each pixel. */
const rampOf = (pixels: number): Buffer =>
  Buffer.from(Uint16Array.from({ length: pixels }, (_, index) => index % 4096).buffer);
