import { expect, test } from 'vitest';
import { noise, sounds, speech } from '#test/spoken-sound.ts';
import { createPhraseSplitter } from './split-phrases.ts';

const rate = 16_000;

/** Splits a sound, in pieces as a microphone delivers them. Returns the lengths of the phrases in seconds. */
const split = (sound: Float32Array, { piece = 2048, flush = false } = {}) => {
  const phrases: Float32Array[] = [];
  const speaking: boolean[] = [];
  const splitter = createPhraseSplitter(rate, {
    onPhrase: (samples) => phrases.push(samples),
    onSpeech: (isSpeaking) => speaking.push(isSpeaking),
  });
  for (let at = 0; at < sound.length; at += piece) splitter.add(sound.slice(at, at + piece));
  if (flush) splitter.flush();
  return { phrases, speaking, seconds: phrases.map(({ length }) => Math.round((length / rate) * 10) / 10) };
};

test('speech is split at pauses, and each phrase keeps the soft beginnings and ends of its words', () => {
  const { seconds, speaking } = split(sounds(noise(1), speech(2), noise(1), speech(3), noise(1)));

  expect(seconds).toHaveLength(2);
  // The speech with at most 0.3 s before and after.
  expect(seconds[0]).toBeGreaterThanOrEqual(2.4);
  expect(seconds[0]).toBeLessThanOrEqual(2.7);
  expect(seconds[1]).toBeGreaterThanOrEqual(3.4);
  expect(speaking).toEqual([true, false, true, false]);
});

test.each([128, 320, 2048, 5000])('pieces of %i samples give the same phrases', (piece) => {
  const sound = sounds(noise(0.5), speech(1.5), noise(1), speech(1), noise(1));

  expect(split(sound, { piece }).phrases).toEqual(split(sound, { piece: 1024 }).phrases);
});

test('a phrase contains its speech completely, sample by sample', () => {
  const spoken = speech(2);

  const [phrase = new Float32Array(0)] = split(sounds(noise(1), spoken, noise(1.5))).phrases;

  const begin = phrase.findIndex((_, at) => phrase[at] === spoken[0] && phrase[at + 1] === spoken[1]);
  expect(begin).toBeGreaterThan(0);
  expect(phrase.slice(begin, begin + spoken.length)).toEqual(spoken);
});

test.each([
  ['a quiet room', -70],
  ['a room with a fan', -48],
  ['a loud room', -40],
])('in %s, speech well above the noise is found, and the noise alone is no speech', (_, level) => {
  const background = (seconds: number) => noise(seconds, { level });

  const { seconds } = split(sounds(background(6), speech(2, { noiseLevel: level, level: level + 24 }), background(2)));

  expect(seconds).toHaveLength(1);
  expect(seconds.at(-1)).toBeGreaterThanOrEqual(2.2);
  expect(seconds.at(-1)).toBeLessThan(3);
});

test('speech that begins at once is complete', () => {
  const { seconds } = split(sounds(speech(2), noise(1)));

  expect(seconds).toEqual([expect.closeTo(2.3, 0)]);
});

test('a click and silence are no phrases', () => {
  const click = speech(0.03, { level: -10 });

  expect(split(sounds(noise(1), click, noise(2), new Float32Array(rate * 3))).phrases).toEqual([]);
});

test('speech without a pause is split before 25 seconds at a gap between words, without loss', () => {
  const spoken = speech(60);

  const { phrases, seconds } = split(sounds(noise(1), spoken, noise(1)));

  expect(phrases).toHaveLength(3);
  expect(Math.max(...seconds)).toBeLessThanOrEqual(25);
  const total = phrases.reduce((sum, { length }) => sum + length, 0);
  expect(total).toBeGreaterThanOrEqual(spoken.length);
  // The cut is quiet.
  for (const phrase of phrases.slice(0, 2)) {
    expect(Math.max(...phrase.slice(-320).map(Math.abs))).toBeLessThan(0.02);
  }
});

test('the end of the recording ends the phrase', () => {
  const sound = sounds(noise(1), speech(1.5));

  expect(split(sound).phrases).toHaveLength(0);
  expect(split(sound, { flush: true }).seconds).toEqual([expect.closeTo(1.8, 0)]);
});
