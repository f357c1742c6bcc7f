import { MantineProvider } from '@mantine/core';
import { Enums, type StackViewport } from '@cornerstonejs/core';
import { act, render, screen } from '@testing-library/react';
import { Profiler, type ReactNode } from 'react';
import { expect, test } from 'vitest';
import { useShownImage, type View } from '#reading/viewer/engine/stack/shown-image.ts';
import { tag } from '#reading/viewer/images/header/dicom-json.ts';
import { StackControls } from './stack-controls.tsx';

const of = (...values: unknown[]) => ({ vr: 'UN', Value: values });

/** MR stack whose windows are fractions of the value range of each image. Its viewport draws on command. */
const stack = () => {
  const element = document.createElement('div');
  const images = [0, 1, 2].map((number) => ({
    imageId: `image ${number}`,
    header: { [tag.Modality]: of('MR'), ...(number === 2 && { [tag.WindowCenter]: of(50), [tag.WindowWidth]: of(9) }) },
    frame: 1,
    numberOfFrames: 1,
    instanceNumber: number,
    plane: undefined,
  }));
  let counter = 0;
  const viewport = {
    element,
    getCornerstoneImage: () => ({
      imageId: `image ${counter}`,
      color: false,
      invert: false,
      minPixelValue: counter,
      maxPixelValue: 100 + counter,
    }),
    getProperties: () => ({ voiRange: { lower: 0, upper: 99 } }),
    canvasToWorld: ([x, y]: [number, number]) => [x, y, 0],
  };
  const view: View = { images, viewport: viewport as unknown as StackViewport };
  const draw = (number: number) => {
    counter = number;
    act(() => void element.dispatchEvent(new Event(Enums.Events.IMAGE_RENDERED)));
  };
  return { view, draw };
};

/** Counts how often its content is rendered. */
const counted = (children: ReactNode) => {
  const count = { drawn: 0 };
  render(
    <MantineProvider env="test">
      <Profiler id="counted" onRender={() => (count.drawn += 1)}>
        {children}
      </Profiler>
    </MantineProvider>,
  );
  return count;
};

const controls = (view: View) => (
  <StackControls
    isListOpen={false}
    onMeasurements={() => {}}
    canUndo={false}
    onUndo={() => {}}
    view={view}
    tool="Length"
    onTool={() => {}}
    onStep={() => {}}
    layoutPicker={null}
    onNextLayout={() => {}}
    cineControls={null}
  />
);

function Number({ view }: { view: View }) {
  return <span data-testid="number">{useShownImage(view)?.index}</span>;
}

test('scrolling to the next image renders the image number again, but not the toolbar', () => {
  const { view, draw } = stack();
  const bar = counted(controls(view));
  const number = counted(<Number view={view} />);
  const before = { ...bar };

  draw(1);

  expect(screen.getByTestId('number').textContent).toBe('1');
  expect(number.drawn).toBe(2);
  expect(bar.drawn).toBe(before.drawn);
});

test('an image with other window presets renders the toolbar again', () => {
  const { view, draw } = stack();
  const bar = counted(controls(view));
  const before = { ...bar };

  draw(2);

  expect(bar.drawn).toBe(before.drawn + 1);
});
