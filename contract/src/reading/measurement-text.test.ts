import { afterEach, expect, test } from 'vitest';
import { installTranslation } from '../core/translate.ts';
import { summaryOf } from './measurement-text.ts';

afterEach(() => installTranslation(() => undefined));

test('the summary of a sphere names mean, maximum and peak in the language of the page', () => {
  const sphere = [
    { quantity: 'MEAN', value: 2.5, unit: 'SUV' },
    { quantity: 'MAXIMUM', value: 8, unit: 'SUV' },
    { quantity: 'PEAK', value: 7.25, unit: 'SUV' },
    { quantity: 'VOLUME', value: 4.2, unit: 'ml' },
  ] as const;

  expect(summaryOf(sphere)).toBe('mean 2.5 SUV · max 8 SUV · peak 7.25 SUV · 4.2 ml');

  installTranslation((message, values) => `‹${message}› ${values[0]}`);
  expect(summaryOf(sphere)).toBe('‹mean {0}› 2.5 SUV · ‹max {0}› 8 SUV · ‹peak {0}› 7.25 SUV · 4.2 ml');
});
