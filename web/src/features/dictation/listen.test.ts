import { expect, onTestFinished, test, vi } from 'vitest';
import { listen } from './listen.ts';
import type { SpeechEngine, SpeechEvents } from './speech-engine.ts';

/** An engine that says what the test lets it say, and how often it was begun. */
const scripted = () => {
  const runs: SpeechEvents[] = [];
  const engine: SpeechEngine = {
    destinationOf: () => Promise.resolve('vendor'),
    obstacleTo: () => Promise.resolve(undefined),
    start: (_, events) => {
      runs.push(events);
      return { stop: () => events.ended(), abort: () => events.ended() };
    },
  };
  return { engine, runs };
};

const begin = () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { engine, runs } = scripted();
  const heard: string[] = [];
  const listening = listen(engine, 'en-US', {
    onState: (state) => heard.push(state),
    onInterim: () => {},
    onFinal: (words) => heard.push(`final ${words}`),
    onError: (message) => heard.push(message),
    onUnsettled: (words) => heard.push(`unsettled ${words}`),
  });
  return { listening, runs, heard };
};

test('an engine that ends by itself is begun again after 100 milliseconds', () => {
  const { runs } = begin();
  runs[0]?.started();

  runs[0]?.ended();
  vi.advanceTimersByTime(99);
  expect(runs).toHaveLength(1);
  vi.advanceTimersByTime(1);

  expect(runs).toHaveLength(2);
});

test('whoever stops between two runs is not listened to again', () => {
  const { listening, runs, heard } = begin();
  runs[0]?.ended();

  listening.stop();
  vi.advanceTimersByTime(1000);

  expect(runs).toHaveLength(1);
  expect(heard).toEqual(['starting', 'idle']);
});

test('however often it was silent, it goes on listening', () => {
  const { runs } = begin();

  for (const count of [1, 2, 3, 4, 5]) {
    runs[count - 1]?.error('no-speech');
    runs[count - 1]?.ended();
    vi.advanceTimersByTime(100);
  }

  expect(runs).toHaveLength(6);
});

test('words between two failures begin the count anew', () => {
  const { runs } = begin();

  for (const count of [1, 2, 3, 4]) {
    runs[count - 1]?.final('no effusion');
    runs[count - 1]?.error('network');
    runs[count - 1]?.ended();
    vi.advanceTimersByTime(100);
  }

  expect(runs).toHaveLength(5);
});

test('what comes from a run that has ended is not heard', () => {
  const { runs, heard } = begin();
  runs[0]?.ended();

  runs[0]?.final('too late');
  runs[0]?.error('network');

  expect(heard).toEqual(['starting']);
});

test('whoever leaves hears nothing more, except which words were not settled', () => {
  const { listening, runs, heard } = begin();
  runs[0]?.started();
  runs[0]?.interim('small left eff');

  listening.abort();
  runs[0]?.final('too late');
  vi.advanceTimersByTime(1000);

  expect(heard).toEqual(['starting', 'listening', 'unsettled small left eff', 'idle']);
  expect(runs).toHaveLength(1);
});
