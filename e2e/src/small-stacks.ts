import type { Elements, Part10 } from '@radwork/dicom/part10';
import { uidFrom } from '@radwork/dicom/uid';
import { simpleInstance } from '@radwork/phantom/instance';

/** Rows and columns of each image. */
export const side = 64;
/** Distances between pixels and between images, in mm. */
const [pixel, step] = [2, 3];

export type StackFile = { bytes: Buffer; sopInstanceUid: string };

type Change = {
  /** Elements that differ from the default. */
  elements?: Elements;
  file?: { transferSyntaxUID?: string; pixelData?: Part10['pixelData'] };
};

export const studyUidOf = (study: string): string => uidFrom('small stacks', study);

/** Stored grays of an image: increasing to the right, with a block that moves down from image to image. */
export const greysOf = (index: number): Buffer => {
  const greys = Uint16Array.from({ length: side * side }, (_, at) => {
    const [row, column] = [Math.floor(at / side), at % side];
    const isBlock = column >= 6 && column < 20 && row >= 4 + index * 9 && row < 12 + index * 9;
    return isBlock ? 1250 : 900 + column * 4;
  });
  return Buffer.from(greys.buffer);
};

/**
 * A series of small CT images. Each image differs from the other images and from its mirror. `study` and `series`
 * determine the UIDs. `change` returns differences for an image, counted from 0.
 */
export const smallStack = (
  study: string,
  series: string,
  count: number,
  change: (index: number) => Change = () => ({}),
): StackFile[] =>
  Array.from({ length: count }, (_, index) => {
    const sopInstanceUid = uidFrom('small stacks', study, series, index);
    const { elements = {}, file = {} } = change(index);
    const bytes = simpleInstance(
      {
        PatientName: 'Fault^Fiona',
        PatientID: 'E2E-FAULT',
        AccessionNumber: study.slice(0, 16),
        StudyInstanceUID: studyUidOf(study),
        SeriesInstanceUID: uidFrom('small stacks', study, series),
        SeriesDescription: series,
        SOPInstanceUID: sopInstanceUid,
        InstanceNumber: index + 1,
        ImagePositionPatient: [-pixel * (side / 2), -pixel * (side / 2), -step * index],
        PixelSpacing: [pixel, pixel],
        SliceLocation: undefined,
        Rows: side,
        Columns: side,
        ...elements,
      },
      { pixelData: greysOf(index), ...file },
    );
    return { bytes, sopInstanceUid };
  });

const petImageStorage = '1.2.840.10008.5.1.4.1.1.128';

/** The same images as PET, to overlay on a CT of the same study. */
export const smallPet = (study: string, count: number): StackFile[] =>
  smallStack(study, 'PET', count, () => ({
    elements: { Modality: 'PT', SOPClassUID: petImageStorage, SeriesNumber: 2, Units: 'BQML', RescaleIntercept: 0 },
  }));
