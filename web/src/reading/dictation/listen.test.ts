import { expect, onTestFinished, test, vi } from 'vitest';
import { listen } from './listen.ts';
import type { SpeechEngine, SpeechEvents } from './speech-engine.ts';

/** Speech engine that the test controls. It counts its runs. */
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
  const received: string[] = [];
  const listening = listen(engine, 'en-US', {
    onState: (state) => received.push(state),
    onInterim: () => {},
    onFinal: (words) => received.push(`final ${words}`),
    onError: (message) => received.push(message),
    onUnsettled: (words) => received.push(`unsettled ${words}`),
  });
  return { listening, runs, heard: received };
};

test('a speech engine that ends is restarted after 100 milliseconds', () => {
  const { runs } = begin();
  runs[0]?.started();

  runs[0]?.ended();
  vi.advanceTimersByTime(99);
  expect(runs).toHaveLength(1);
  vi.advanceTimersByTime(1);

  expect(runs).toHaveLength(2);
});

test('stopping between two runs of the speech engine prevents the next run', () => {
  const { listening, runs, heard: received } = begin();
  runs[0]?.ended();

  listening.stop();
  vi.advanceTimersByTime(1000);

  expect(runs).toHaveLength(1);
  expect(received).toEqual(['starting', 'idle']);
});

test('silence never stops dictation', () => {
  const { runs } = begin();

  for (const count of [1, 2, 3, 4, 5]) {
    runs[count - 1]?.error('no-speech');
    runs[count - 1]?.ended();
    vi.advanceTimersByTime(100);
  }

  expect(runs).toHaveLength(6);
});

test('recognized words between two failures reset the count of failures', () => {
  const { runs } = begin();

  for (const count of [1, 2, 3, 4]) {
    runs[count - 1]?.final('no effusion');
    runs[count - 1]?.error('network');
    runs[count - 1]?.ended();
    vi.advanceTimersByTime(100);
  }

  expect(runs).toHaveLength(5);
});

test('events of a speech engine that has ended are ignored', () => {
  const { runs, heard: received } = begin();
  runs[0]?.ended();

  runs[0]?.final('too late');
  runs[0]?.error('network');

  expect(received).toEqual(['starting']);
});

test('aborting dictation reports only the words that were not final', () => {
  const { listening, runs, heard: received } = begin();
  runs[0]?.started();
  runs[0]?.interim('small left eff');

  listening.abort();
  runs[0]?.final('too late');
  vi.advanceTimersByTime(1000);

  expect(received).toEqual(['starting', 'listening', 'unsettled small left eff', 'idle']);
  expect(runs).toHaveLength(1);
});
