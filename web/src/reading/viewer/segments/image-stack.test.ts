import { expect, onTestFinished, test, vi } from 'vitest';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { stackOf } from './image-stack.ts';

const frameOf = (uid: string, frame: number): SeriesImage => ({
  imageId: `${uid} ${frame}`,
  header: { '00080018': { vr: 'UI', Value: [uid] } },
  frame,
  numberOfFrames: 1,
  instanceNumber: 1,
  plane: undefined,
});

test('the images of an instance are found by their positions in the stack', () => {
  const stack = stackOf([frameOf('2.25.1', 1), frameOf('2.25.2', 1), frameOf('2.25.1', 2)]);

  expect([...stack.byInstance]).toEqual([
    ['2.25.1', [0, 2]],
    ['2.25.2', [1]],
  ]);
});

test('an instance with very many frames does not block the page', () => {
  const frames = Array.from({ length: 100_000 }, (_, at) => frameOf('2.25.1', at + 1));
  const setSpy = vi.spyOn(Map.prototype, 'set');
  onTestFinished(() => setSpy.mockRestore());

  const stack = stackOf(frames);

  expect(stack.byInstance.get('2.25.1')).toHaveLength(100_000);
  // The list must be built once: copying it for each frame would take minutes.
  expect(setSpy.mock.calls.filter(([key]) => key === '2.25.1')).toHaveLength(1);
});
