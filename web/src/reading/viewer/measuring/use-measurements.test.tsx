import { eventTarget, triggerEvent } from '@cornerstonejs/core';
import { annotation, Enums } from '@cornerstonejs/tools';
import { type Measurement, type MeasurementForm, measurements } from '@radwork/contract/reading/measurements';
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { answer, serve, show } from '#test/screen.tsx';
import { studyDetails } from '#test/studies.ts';
import type { ViewBox } from '#reading/viewer/engine/stack/view-box.ts';
import { tag } from '#reading/viewer/images/header/dicom-json.ts';
import { imageIdOf } from '#reading/viewer/images/series/series-loader.ts';
import { planesThrough } from '#reading/viewer/mpr/plane-surface.ts';
import type { Volume } from '#reading/viewer/volumes/volume.ts';
import type { Drawing } from './drawn-annotation.ts';
import { useMeasurementsOn } from './use-measurements.ts';

const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });

const study = studyDetails();

// The view box renders nothing, because the test only reads the annotations of the imaging library.
const viewBox = { engine: { hasBeenDestroyed: true } } as ViewBox;

/** Planes of a series. All series have the same frame of reference. */
const planesOf = (series: string) =>
  planesThrough({
    volumeId: series,
    images: [
      {
        imageId: imageIdOf('2.25.1', series, `${series}.1`, 1),
        header: { [tag.SeriesInstanceUID]: { vr: 'UI', Value: [series] } },
      },
    ],
    content: { metadata: { FrameOfReferenceUID: '2.25.77' } },
    loaded: new Set(),
  } as unknown as Volume);

const surfaces = { arterial: planesOf('2.25.2'), venous: planesOf('2.25.3') };

const line: Drawing = {
  tool: 'LENGTH',
  seriesInstanceUID: '2.25.2',
  sopInstanceUID: null,
  frame: null,
  frameOfReferenceUID: '2.25.77',
  points: [
    [0, 0, 0],
    [50, 0, 0],
  ],
  plane: { normal: [0, -1, 0], up: [0, 0, 1] },
  label: '',
  values: [],
};

function Planes() {
  const [surface, choose] = useState(surfaces.arterial);
  const { undo, canUndo } = useMeasurementsOn(surface, study, viewBox);
  return (
    <>
      <button onClick={() => choose(surfaces.arterial)}>Arterial</button>
      <button onClick={() => choose(surfaces.venous)}>Venous</button>
      <button onClick={undo}>{canUndo ? 'Undo' : 'Nothing to undo'}</button>
    </>
  );
}

/** Server that saves drawings. The array holds the IDs of the saved drawings. */
const keeping = () => {
  const savedIds: string[] = [];
  serve(
    answer(measurements.ofStudy, () => []),
    answer(measurements.save, ({ url, body }): Measurement => {
      const form = body as MeasurementForm;
      const id = url.pathname.split('/').at(-1) ?? '';
      savedIds.push(id);
      return {
        ...form,
        id,
        revision: form.revision + 1,
        author: { username: 'weiss', name: 'Dr Weiss' },
        createdDate: '2026-11-22T10:00:00Z',
        updatedDate: '2026-11-22T10:00:00Z',
        isMine: true,
      };
    }),
    answer(measurements.remove, ({ url }) => {
      savedIds.splice(savedIds.indexOf(url.pathname.split('/').at(-1) ?? ''), 1);
      return { revision: 2 };
    }),
  );
  return savedIds;
};

/** Simulates the imaging library after the user has drawn a line. */
const drawByHand = (id: string, surface: (typeof surfaces)['arterial'], seriesInstanceUID: string) => {
  const one = surface.annotationOf(id, { ...line, seriesInstanceUID }, false);
  if (!one) throw new Error('A line can be drawn on these planes');
  annotation.state.addAnnotation(one, '');
  triggerEvent(eventTarget, Enums.Events.ANNOTATION_COMPLETED, { annotation: one });
};

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

afterEach(() => annotation.state.removeAllAnnotations());

test('a drawing on another series can be undone only when that series is shown again', async () => {
  const savedIds = keeping();
  show(
    <RouterContextProvider router={router}>
      <Planes />
    </RouterContextProvider>,
  );
  drawByHand('m1', surfaces.arterial, '2.25.2');
  await press('Venous');
  await waitFor(() => expect(savedIds).toEqual(['m1']));
  drawByHand('m2', surfaces.venous, '2.25.3');

  await waitFor(() => expect(savedIds).toEqual(['m1', 'm2']));
  await press('Undo');
  await waitFor(() => expect(savedIds).toEqual(['m1']));
  await press('Nothing to undo');
  await screen.findByText(/on another series/);
  expect(savedIds).toEqual(['m1']);

  await press('Arterial');
  await press('Undo');
  await waitFor(() => expect(savedIds).toEqual([]));
});
