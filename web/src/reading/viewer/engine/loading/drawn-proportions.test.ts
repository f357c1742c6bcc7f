import { metaData, registerDefaultProviders } from '@cornerstonejs/metadata';
import { expect, test } from 'vitest';
import { learnShape } from '#reading/viewer/images/geometry/pixel-shape.ts';
import { tag } from '#reading/viewer/images/header/dicom-json.ts';
import { describeImages, provideShapes } from './image-metadata.ts';

const element = (vr: string, ...values: unknown[]) => ({ vr, Value: values });

test('pixels without a size have their proportions, but still no size', () => {
  registerDefaultProviders();
  provideShapes();
  const imageId = 'wadors:/studies/1/series/1/instances/1.77/frames/1';
  const header = {
    [tag.SOPInstanceUID]: element('UI', '1.77'),
    [tag.Rows]: element('US', 4),
    [tag.Columns]: element('US', 4),
    [tag.PixelAspectRatio]: element('IS', 3, 2),
    [tag.ImagePositionPatient]: element('DS', 0, 0, 0),
    [tag.ImageOrientationPatient]: element('DS', 1, 0, 0, 0, 1, 0),
  };
  learnShape(imageId, header);
  describeImages([{ imageId, header, frame: 1, numberOfFrames: 1, instanceNumber: 1, plane: undefined }]);

  const plane: Record<string, unknown> = metaData.get('imagePlaneModule', imageId);

  expect(plane).toMatchObject({ rowPixelSpacing: 1.5, columnPixelSpacing: 1, pixelSpacing: [1.5, 1] });
  // Lengths are then in pixels, not in millimeters.
  expect(plane['usingDefaultValues']).toBe(true);
});
