import { type Measurement, type MeasurementForm, measurements } from '@radwork/contract/reading/measurements';
import { waitFor } from '@testing-library/react';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { saveSession } from '#core/state/session.ts';
import { answer, refuse, serve, signIn } from '#test/screen.tsx';
import type { Drawing } from './drawn-annotation.ts';
import { createMeasurementSaver } from './measurement-saver.ts';

const line: Drawing = {
  tool: 'LENGTH',
  seriesInstanceUID: '2.25.2',
  sopInstanceUID: '2.25.3',
  frame: 1,
  frameOfReferenceUID: null,
  points: [
    [0, 0, 0],
    [10, 0, 0],
  ],
  plane: null,
  label: '',
  values: [],
};

afterEach(() => vi.useRealTimers());

const savedMeasurement = (form: MeasurementForm): Measurement => ({
  ...form,
  id: 'm1',
  revision: form.revision + 1,
  author: { username: 'weiss', name: 'Dr Weiss' },
  createdDate: '2026-11-22T10:00:00Z',
  updatedDate: '2026-11-22T10:00:00Z',
  isMine: true,
});

const keeping = () => {
  signIn();
  const callbacks = { onSaved: vi.fn<() => void>(), onRefused: vi.fn<() => void>(), onWaiting: vi.fn<() => void>() };
  return { ...callbacks, keeper: createMeasurementSaver('s1', callbacks) };
};

test('changes made while a measurement is being saved are sent together, with the revision from the answer', async () => {
  let answerNow = () => {};
  const first = new Promise<void>((resolve) => {
    answerNow = resolve;
  });
  const sent: MeasurementForm[] = [];
  serve(
    answer(measurements.save, async ({ body }) => {
      const form = body as MeasurementForm;
      sent.push(form);
      if (sent.length === 1) await first;
      return savedMeasurement(form);
    }),
  );
  const { keeper, onSaved } = keeping();

  keeper.want('m1', line);
  await waitFor(() => expect(sent).toHaveLength(1));
  keeper.want('m1', { ...line, label: 'a' });
  keeper.want('m1', { ...line, label: 'ab' });
  answerNow();

  await waitFor(() =>
    expect(onSaved).toHaveBeenCalledWith('m1', expect.objectContaining({ label: 'ab', revision: 2 })),
  );
  expect(sent.map(({ label, revision }) => [label, revision])).toEqual([
    ['', 0],
    ['ab', 1],
  ]);
});

test('a measurement is saved even if the tab closes, and a retry is sent without keepalive', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let isDown = true;
  serve(
    answer(measurements.save, ({ body }) => {
      if (isDown) throw new TypeError('Failed to fetch');
      return savedMeasurement(body as MeasurementForm);
    }),
  );
  const fetched = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => fetched.mockRestore());
  const { keeper, onSaved, onWaiting } = keeping();

  keeper.want('m1', line);
  await waitFor(() => expect(onWaiting).toHaveBeenLastCalledWith(1, true));
  isDown = false;
  await vi.advanceTimersByTimeAsync(5000);

  await waitFor(() => expect(onSaved).toHaveBeenCalled());
  expect(fetched.mock.calls.map(([, init]) => init?.keepalive ?? false)).toEqual([true, false]);
});

test('a measurement that was deleted before it was sent is not sent', async () => {
  const calls = serve(answer(measurements.save, ({ body }) => savedMeasurement(body as MeasurementForm)));
  const { keeper, onSaved } = keeping();

  keeper.want('m1', null);

  await waitFor(() => expect(onSaved).toHaveBeenCalledWith('m1', undefined));
  expect(calls).toHaveLength(0);
});

test('a measurement that the server refuses is reported and not sent again', async () => {
  serve(refuse(measurements.save, 409, 'Changed in another window'));
  const { keeper, onRefused } = keeping();

  keeper.want('m1', line);

  await waitFor(() => expect(onRefused).toHaveBeenCalled());
  expect(keeper.waiting.has('m1')).toBe(false);
});

test('saving a measurement is retried until the server answers', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let isDown = true;
  serve(
    answer(measurements.save, ({ body }) => {
      if (isDown) throw new TypeError('Failed to fetch');
      return savedMeasurement(body as MeasurementForm);
    }),
  );
  const { keeper, onSaved, onWaiting } = keeping();

  keeper.want('m1', line);
  await waitFor(() => expect(onWaiting).toHaveBeenLastCalledWith(1, true));
  isDown = false;
  await vi.advanceTimersByTimeAsync(5000);

  await waitFor(() => expect(onSaved).toHaveBeenCalled());
  expect(onWaiting).toHaveBeenLastCalledWith(0, false);
});

test('measurements are not sent on behalf of another user who signs in meanwhile', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let isDown = true;
  const calls = serve(
    answer(measurements.save, ({ body }) => {
      if (isDown) throw new TypeError('Failed to fetch');
      return savedMeasurement(body as MeasurementForm);
    }),
  );
  const { keeper, onWaiting } = keeping();

  keeper.want('m1', line);
  await waitFor(() => expect(onWaiting).toHaveBeenLastCalledWith(1, true));
  isDown = false;
  const mine = signIn();
  saveSession({ ...mine, user: { ...mine.user, username: 'colleague' } });
  await vi.advanceTimersByTimeAsync(6000);

  await waitFor(() => expect(onWaiting).toHaveBeenLastCalledWith(0, true));
  expect(calls).toHaveLength(1);
});
