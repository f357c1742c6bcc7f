import { act, renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Plane } from '#reading/viewer/volumes/plane-viewport.tsx';
import { useLinkedPlanes } from './use-linked-planes.ts';

/** Mock of a plane that stores its last view state. */
const planeOf = () => {
  let state: object = {};
  const viewport = {
    element: document.createElement('div'),
    getViewState: () => state,
    getResolvedView: () => undefined,
    setViewState: vi.fn<(change: object) => void>((change) => {
      state = { ...state, ...change };
    }),
    resetViewState: () => true,
  };
  return { plane: { viewport, volumes: [], orientation: 'axial' } as unknown as Plane, viewport };
};

const sliceThrough = (...sliceWorldPoint: number[]) => ({ kind: 'volumePoint', sliceWorldPoint });

test('a slice that appears after a jump on the projection shows the new point', () => {
  const { result } = renderHook(() => useLinkedPlanes([0, 0, 0]));
  const [before, after] = [planeOf(), planeOf()];
  act(() => result.current.onPlane.fused(before.plane));
  act(() => result.current.goTo([1, 2, 3]));
  act(() => {
    before.viewport.element.dispatchEvent(new Event('CORNERSTONE_CAMERA_MODIFIED'));
  });
  act(() => result.current.onPlane.fused(undefined));

  act(() => result.current.goTo([10, 20, 30]));
  act(() => result.current.turnTo('coronal'));
  act(() => result.current.onPlane.fused(after.plane));

  expect(after.viewport.getViewState()).toEqual({ orientation: 'coronal', slice: sliceThrough(10, 20, 30) });
  expect(result.current.point).toEqual([10, 20, 30]);
});
