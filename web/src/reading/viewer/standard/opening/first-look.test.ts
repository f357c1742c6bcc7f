import { expect, test } from 'vitest';
import { tag } from '#reading/viewer/images/header/dicom-json.ts';
import { firstLookOf } from './first-look.ts';

const of = (...values: unknown[]) => ({ vr: 'UN', Value: values });

const header = {
  [tag.AvailableTransferSyntaxUID]: of('1.2.840.10008.1.2.1'),
  [tag.SamplesPerPixel]: of(1),
  [tag.PhotometricInterpretation]: of('MONOCHROME2'),
  [tag.Rows]: of(4),
  [tag.Columns]: of(6),
  [tag.BitsAllocated]: of(16),
  [tag.BitsStored]: of(16),
  [tag.HighBit]: of(15),
  [tag.PixelRepresentation]: of(1),
  [tag.WindowCenter]: of(40),
  [tag.WindowWidth]: of(400),
};
const images = [1, 2].map((number) => ({
  imageId: `${number}`,
  header,
  frame: 1,
  numberOfFrames: 1,
  instanceNumber: number,
  plane: undefined,
}));
const series = {
  id: 's',
  seriesInstanceUID: '2.25.1',
  seriesNumber: 1,
  seriesDescription: '',
  modality: 'CT',
  bodyPartExamined: '',
  instanceCount: 2,
};

test('a pane first shows its image in the window of the hanging protocol, or otherwise of the file', () => {
  expect(firstLookOf({ series, start: 1 }, images)).toEqual({
    image: images[1],
    index: 1,
    range: { lower: -160, upper: 239 },
  });
  expect(firstLookOf({ series, start: 0, window: 'Lung' }, images)?.range).toEqual({ lower: -1350, upper: 149 });
});

test('rotated images and saved displays are drawn by the imaging library from the start', () => {
  const look = {
    window: null,
    isInverted: false,
    rotation: 0,
    isMirroredAcross: false,
    isMirroredDown: false,
    zoom: 1,
  };

  expect(firstLookOf({ series, start: 0, turn: 'half turn' }, images)).toBeUndefined();
  expect(firstLookOf({ series, start: 0, image: '2', look: { ...look, pan: [0, 0] } }, images)).toBeUndefined();
});

test('a pane shows no first image for a series without images', () => {
  expect(firstLookOf({ series, start: 0 }, [])).toBeUndefined();
});
