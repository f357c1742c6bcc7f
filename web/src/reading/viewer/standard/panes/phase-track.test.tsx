import type { StackViewport } from '@cornerstonejs/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { PhaseTrack } from './phase-track.tsx';

const imageAt = (at: number) => ({
  imageId: String(at),
  header: {},
  frame: 1,
  numberOfFrames: 1,
  instanceNumber: at + 1,
  plane: undefined,
  phase: { at, count: 4, place: 0, places: 1, isTime: true, isUnnamed: false, facts: {} },
});

test('arrow keys, Home and End on the phase track show other phases of the slice', async () => {
  let index = 1;
  const viewport = { getTargetImageIdIndex: () => index, scroll: (by: number) => (index += by) };
  const images = [0, 1, 2, 3].map(imageAt);
  const view = { images, viewport: viewport as unknown as StackViewport };
  render(<PhaseTrack view={view} index={1} phase={imageAt(1).phase} />);
  const indexes: number[] = [];

  screen.getByRole('slider', { name: 'Phase at this position' }).focus();
  for (const key of ['{ArrowRight}', '{ArrowLeft}', '{End}', '{Home}', '{ArrowDown}']) {
    await userEvent.keyboard(key);
    indexes.push(index);
  }

  expect(indexes).toEqual([2, 1, 3, 0, 0]);
});
