import { expect, test } from 'vitest';
import { applyCorrections } from './apply-corrections.ts';

const corrections = [
  { written: 'plural effusion', said: 'pleural effusion' },
  { written: 'plural', said: 'pleural' },
  { written: 'new moth or ax', said: 'pneumothorax' },
  { written: 'pleural', said: 'PLEURAL' },
  { written: 'c.t.', said: 'CT' },
];

test.each([
  ['no plural effusion', 'no pleural effusion'],
  ['plurality is no word of it', 'plurality is no word of it'],
  ['Plural thickening', 'Pleural thickening'],
  ['Stable. Plural plaques', 'Stable. Pleural plaques'],
  ['small  New  moth or ax', 'small  pneumothorax'],
  ['the C.T. of the chest', 'the CT of the chest'],
  ['no finding', 'no finding'],
])('%j becomes %j', (recognized, said) => {
  expect(applyCorrections(recognized, corrections, 'en-US')).toBe(said);
});

test('words in Chinese are corrected without word boundaries', () => {
  expect(applyCorrections('右肺奇胸', [{ written: '奇胸', said: '气胸' }], 'zh-CN')).toBe('右肺气胸');
});

test('without corrections the text is unchanged', () => {
  expect(applyCorrections('no plural effusion', [], 'en-US')).toBe('no plural effusion');
});
