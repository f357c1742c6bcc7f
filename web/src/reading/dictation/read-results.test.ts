import { expect, onTestFinished, test, vi } from 'vitest';
import { resultReader } from './read-results.ts';

type SpokenWords = { words: string; isFinal?: boolean; confidence?: number };

/** A result of the Web Speech API. */
const result = ({ words, isFinal = true, confidence = 0 }: SpokenWords) =>
  Object.assign([{ transcript: words, confidence }], { isFinal });

const begin = () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const finals: string[] = [];
  const interims: string[] = [];
  const reader = resultReader({ final: (words) => finals.push(words), interim: (words) => interims.push(words) });
  return {
    finals,
    interims,
    reader,
    hears: (resultIndex: number, ...all: SpokenWords[]) => reader.read({ resultIndex, results: all.map(result) }),
  };
};

const growing = ['no', 'no pleural', 'no pleural effusion'];

test('cumulative final results in one place become one utterance when the engine ends (Android Chrome)', () => {
  const { hears, reader, finals, interims } = begin();

  for (const words of growing) hears(0, { words });
  expect(finals).toEqual([]);
  expect(interims.at(-1)).toBe('no pleural effusion');
  reader.settle();

  expect(finals).toEqual(['no pleural effusion']);
});

test('cumulative final results in new places become one utterance', () => {
  const { hears, reader, finals } = begin();

  for (const at of growing.keys()) hears(at, ...growing.slice(0, at + 1).map((words) => ({ words })));
  reader.settle();

  expect(finals).toEqual(['no pleural effusion']);
});

test('if the engine sends all results again from the start, no words are repeated', () => {
  const { hears, reader, finals } = begin();

  for (const at of growing.keys()) hears(0, ...growing.slice(0, at + 1).map((words) => ({ words })));
  hears(0, ...growing.map((words) => ({ words })));
  reader.settle();

  expect(finals).toEqual(['no pleural effusion']);
});

test('a result with a confidence ends its utterance, and a copy of the result is ignored', () => {
  const { hears, reader, finals } = begin();

  hears(0, { words: 'no pleural' });
  hears(0, { words: 'no pleural effusion', confidence: 0.9 });
  hears(1, { words: 'no pleural effusion', confidence: 0.9 }, { words: 'no pleural effusion', confidence: 0.9 });
  reader.settle();

  expect(finals).toEqual(['no pleural effusion']);
});

test('a pause ends the utterance, and words after it follow without the words before it', () => {
  const { hears, finals } = begin();

  hears(0, { words: 'no pleural effusion' });
  vi.advanceTimersByTime(1000);
  expect(finals).toEqual(['no pleural effusion']);
  hears(0, { words: 'no pleural effusion the heart is normal' });
  vi.advanceTimersByTime(1000);

  expect(finals).toEqual(['no pleural effusion', 'the heart is normal']);
});

test('the last word may be corrected while the utterance grows', () => {
  const { hears, reader, finals } = begin();

  hears(0, { words: 'no plural' });
  hears(1, { words: 'no plural' }, { words: 'no pleural effusion' });
  reader.settle();

  expect(finals).toEqual(['no pleural effusion']);
});

test('after cumulative results, a new utterance is separate, even if it begins with the same words', () => {
  const { hears, reader, finals } = begin();

  for (const words of growing) hears(0, { words });
  hears(1, { words: 'no pleural effusion' }, { words: 'no' });
  hears(1, { words: 'no pleural effusion' }, { words: 'no pneumothorax' });
  reader.settle();

  expect(finals).toEqual(['no pleural effusion', 'no pneumothorax']);
});

test('final results of an engine with interim results count at once, even without a confidence', () => {
  const { hears, finals } = begin();

  hears(0, { words: 'normal', isFinal: false });
  hears(0, { words: 'normal' });
  hears(1, { words: 'normal' }, { words: 'normal heart', isFinal: false });
  hears(1, { words: 'normal' }, { words: 'normal heart' });

  expect(finals).toEqual(['normal', 'normal heart']);
});

test('if a phrase comes twice with a confidence, it is written twice', () => {
  const { hears, finals } = begin();

  hears(0, { words: 'unchanged', confidence: 0.9 });
  hears(1, { words: 'unchanged', confidence: 0.9 }, { words: 'unchanged', confidence: 0.9 });

  expect(finals).toEqual(['unchanged', 'unchanged']);
});

test('cumulative Chinese results become one utterance', () => {
  const { hears, reader, finals } = begin();

  for (const words of ['双肺', '双肺未见', '双肺未见异常']) hears(0, { words });
  reader.settle();

  expect(finals).toEqual(['双肺未见异常']);
});
