import { expect, test } from 'vitest';
import { createPhraseQueue, mostPhrases, type Phrase, type QueueState } from './phrase-queue.ts';

const phrase = (name: number): Phrase => ({ audio: Uint8Array.of(name), language: 'en-US', selections: 0 });

/** A queue whose server answers when the test says so. */
const scripted = () => {
  const calls: { name: number; answer: PromiseWithResolvers<string>; signal: AbortSignal }[] = [];
  const texts: string[] = [];
  const states: QueueState[] = [];
  const queue = createPhraseQueue({
    send: ({ audio }, signal) => {
      const answer = Promise.withResolvers<string>();
      calls.push({ name: audio[0] ?? 0, answer, signal });
      return answer.promise;
    },
    onText: (text) => texts.push(text),
    onChange: (state) => states.push(state),
    messageOf: (error) => (error instanceof Error ? error.message : ''),
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { queue, calls, texts, states, settled, last: () => states.at(-1) };
};

test('phrases are sent one after another, and their texts arrive in the order of speech', async () => {
  const { queue, calls, texts, last, settled } = scripted();
  for (const name of [1, 2, 3]) queue.add(phrase(name));

  expect(calls.map(({ name }) => name)).toEqual([1]);
  expect(last()).toEqual({ writing: 3, failure: undefined });
  calls[0]?.answer.resolve('one');
  await settled();
  calls[1]?.answer.resolve('');
  await settled();
  calls[2]?.answer.resolve('three');
  await settled();

  expect(texts).toEqual(['one', 'three']);
  expect(last()).toEqual({ writing: 0, failure: undefined });
});

test('after a failure the later phrases wait, and a retry writes all of them in order', async () => {
  const { queue, calls, texts, last, settled } = scripted();
  queue.add(phrase(1));
  calls[0]?.answer.reject(new Error('The dictation server is busy'));
  await settled();
  queue.add(phrase(2));

  expect(last()).toEqual({ writing: 2, failure: 'The dictation server is busy' });
  expect(calls).toHaveLength(1);
  queue.retry();
  queue.retry();
  expect(calls.map(({ name }) => name)).toEqual([1, 1]);
  calls[1]?.answer.resolve('one');
  await settled();
  calls[2]?.answer.resolve('two');
  await settled();

  expect(texts).toEqual(['one', 'two']);
});

test('a discarded phrase is not sent again, and the next phrase follows', async () => {
  const { queue, calls, texts, settled } = scripted();
  queue.discard();
  queue.add(phrase(1));
  queue.add(phrase(2));
  calls[0]?.answer.reject(new Error('no'));
  await settled();
  queue.discard();
  calls[1]?.answer.resolve('two');
  await settled();

  expect(calls.map(({ name }) => name)).toEqual([1, 2]);
  expect(texts).toEqual(['two']);
});

test('a closed queue ends its call and writes nothing more', async () => {
  const { queue, calls, texts, settled } = scripted();
  queue.add(phrase(1));
  queue.add(phrase(2));
  queue.close();
  calls[0]?.answer.resolve('one');
  await settled();

  expect(calls[0]?.signal.aborted).toBe(true);
  expect(calls).toHaveLength(1);
  expect(texts).toEqual([]);
});

test('a closed queue takes no further phrase and sends nothing', () => {
  const { queue, calls, last } = scripted();
  queue.add(phrase(1));
  queue.close();

  expect(queue.add(phrase(2))).toBe(false);
  expect(calls.map(({ name }) => name)).toEqual([1]);
  expect(last()).toEqual({ writing: 0, failure: undefined });
});

test('a full queue takes no further phrase', () => {
  const { queue } = scripted();

  const taken = Array.from({ length: mostPhrases + 1 }, (_, name) => queue.add(phrase(name)));

  expect(taken.filter(Boolean)).toHaveLength(mostPhrases);
  expect(taken.at(-1)).toBe(false);
});
