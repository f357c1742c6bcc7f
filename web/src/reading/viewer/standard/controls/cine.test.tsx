import { MantineProvider } from '@mantine/core';
import type { StackViewport } from '@cornerstonejs/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { View } from '#reading/viewer/engine/stack/shown-image.ts';
import { Cine } from './cine.tsx';

const viewOf = (element: HTMLElement): View => {
  const images = [1, 2].map((frame) => ({
    imageId: `${frame}`,
    header: {},
    frame,
    numberOfFrames: 2,
    instanceNumber: 1,
    plane: undefined,
  }));
  const viewport = { element, setIndex: () => {}, setImageIdIndex: async () => '', render: () => {} };
  return {
    images,
    viewport: { ...viewport, getCornerstoneImage: () => undefined } as unknown as StackViewport,
  };
};

const playing = (isDrawing: boolean) => {
  const element = document.createElement('div');
  const view = viewOf(element);
  render(
    <MantineProvider env="test">
      <Cine view={view} isDrawing={isDrawing} />
    </MantineProvider>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Play' }));
  return element;
};

test('a cine stops when the user draws on it', () => {
  fireEvent.pointerDown(playing(true));

  expect(screen.getByRole('button', { name: 'Play' })).toBeDefined();
});

test('a cine continues when the user changes its window', () => {
  fireEvent.pointerDown(playing(false));

  expect(screen.getByRole('button', { name: 'Pause' })).toBeDefined();
});
