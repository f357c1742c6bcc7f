import { readHeader } from '@radwork/dicom/header';
import { enhancedCt, enhancedCtScale } from '@radwork/phantom/enhanced';
import { patients } from '@radwork/phantom/patients';
import { expect, test } from 'vitest';
import { appearanceOf, pixelFormatOf } from './image-description.ts';

test('an enhanced CT of one frame uses the rescale and the window of its functional groups', async () => {
  const { bytes } = enhancedCt({ seed: 'seen', patient: patients[0], studyDate: '20261110', accessionNumber: 'A' });
  const { dataset } = readHeader(bytes);

  const appearance = await appearanceOf(dataset, 0, pixelFormatOf(dataset), () => Promise.resolve(undefined));

  expect(appearance).toEqual({ ...enhancedCtScale, window: { center: 200, width: 1200, shape: 'linear' } });
});
