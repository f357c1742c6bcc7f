import { readHeader } from '@radwork/dicom/header';
import { sampleWithoutPixels } from '@radwork/dicom/sample-files';
import { expect, test } from 'vitest';
import { metadataJson } from './instance-metadata.ts';

const tagsIn = (json: string): string[] => Array.from(json.matchAll(/"([\dA-F]{8})":/g), ([, tag = '']) => tag);

test('metadata elements are sorted by tag, including tags that look like numbers', () => {
  const header = readHeader(
    sampleWithoutPixels({
      WaveformSequence: [{ WaveformBitsAllocated: 16, NumberOfWaveformChannels: 2, MultiplexGroupLabel: 'RHYTHM' }],
      '60000010 US': 512,
    }),
  );

  const json = metadataJson(header);

  const tags = tagsIn(json);
  const sequence = tags.indexOf('54000100');
  expect(tags.slice(sequence)).toEqual(['54000100', '003A0005', '003A0020', '54001004', '60000010']);
  expect(tags.slice(0, sequence)).toEqual(tags.slice(0, sequence).toSorted());
  expect(tags).toContain('00083002');
  expect(JSON.parse(json)).toEqual({
    ...header.dataset,
    '00083002': { vr: 'UI', Value: [header.transferSyntaxUID] },
  });
});
