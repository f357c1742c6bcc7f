import { renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { FusionState } from '#reading/viewer/fusion/fusion-state.ts';
import type { DrawnView } from '#reading/viewer/volumes/use-drawn-view.ts';
import { useHover } from './use-hover.ts';

const sliceAt = (height: number): DrawnView => ({
  toScreen: () => [0, 0],
  toPatient: (x, y) => [x, y, height],
  right: [1, 0, 0],
  down: [0, 1, 0],
  normal: [0, 0, -1],
  scale: 1,
  width: 100,
  height: 100,
});

test('the point under a resting pointer changes with the slice, and is cleared when the pane is removed', () => {
  const onHover = vi.fn<FusionState['onHover']>();
  const { result, rerender, unmount } = renderHook(({ view }) => useHover('fused', view, onHover), {
    initialProps: { view: sliceAt(10) },
  });
  result.current({ x: 3, y: 4 });

  rerender({ view: sliceAt(20) });
  expect(onHover).toHaveBeenLastCalledWith({ pane: 'fused', point: [3, 4, 20] });

  unmount();
  expect(onHover).toHaveBeenLastCalledWith(undefined);
});
