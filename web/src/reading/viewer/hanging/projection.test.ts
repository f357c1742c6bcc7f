import { expect, test } from 'vitest';
import { type DicomJson, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { projectionName, projectionOf } from './projection.ts';

const text = (value: string) => ({ vr: 'CS', Value: [value] });
const sequence = (item: DicomJson) => ({ vr: 'SQ', Value: [item] });
const anatomy = (side: string) =>
  sequence({ [tag.FrameAnatomySequence]: sequence({ [tag.FrameLaterality]: text(side) }) });

test.each([
  ['image laterality and view position', { [tag.ImageLaterality]: text('R'), [tag.ViewPosition]: text('CC') }, 'R CC'],
  ['laterality in words', { [tag.ImageLaterality]: text('LEFT'), [tag.ViewPosition]: text('mlo') }, 'L MLO'],
  ['laterality in lower case', { [tag.Laterality]: text('r'), [tag.ViewPosition]: text('PA') }, 'R PA'],
  ['side and view in one value', { [tag.ViewPosition]: text('RCC') }, 'R CC'],
  ['side and view with a space', { [tag.ViewPosition]: text('L MLO') }, 'L MLO'],
  ['a side beside one in the view', { [tag.ImageLaterality]: text('L'), [tag.ViewPosition]: text('L-XCCL') }, 'L XCCL'],
  [
    'shared functional groups',
    { [tag.SharedFunctionalGroupsSequence]: anatomy('R'), [tag.ViewPosition]: text('MLO') },
    'R MLO',
  ],
  [
    'functional groups of each frame',
    { [tag.PerFrameFunctionalGroupsSequence]: anatomy('L'), [tag.ViewPosition]: text('CC') },
    'L CC',
  ],
  ['a code of SNOMED CT', { [tag.ViewCodeSequence]: sequence({ [tag.CodeValue]: text('399368009') }) }, 'MLO'],
  ['both sides', { [tag.ImageLaterality]: text('B'), [tag.ViewPosition]: text('LL') }, 'LL'],
  ['a lateral view of a chest', { [tag.ViewPosition]: text('LAT') }, 'LAT'],
  ['a lateromedial oblique view', { [tag.ViewPosition]: text('LMO') }, 'LMO'],
  ['nothing', {}, ''],
])('reads side and view of an image from %s', (_, header, name) => {
  expect(projectionName(projectionOf(header))).toBe(name);
});
