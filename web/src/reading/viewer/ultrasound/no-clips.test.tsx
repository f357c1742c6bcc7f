import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { show } from '#test/screen.tsx';
import { NoClips } from './no-clips.tsx';

const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });

const showNone = (clipQuery: Parameters<typeof NoClips>[0]['clipQuery']) =>
  show(
    <RouterContextProvider router={router}>
      <NoClips studyId="7" clipQuery={clipQuery} />
    </RouterContextProvider>,
  );

const nothing = { isPending: false, error: null, retry: () => {}, hasSeries: true };

test('a study without ultrasound shows a message and links to the standard viewer', async () => {
  showNone({ ...nothing, hasSeries: false });

  expect(await screen.findByText('This study has no ultrasound')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Open in the standard viewer' }).getAttribute('href')).toBe('/viewer/7');
});

test('a series without images is not a clip', async () => {
  showNone(nothing);

  expect(await screen.findByText('The ultrasound series of this study have no images')).toBeDefined();
});

test('clips that fail to load show a retry', async () => {
  const retry = vi.fn<() => void>();
  showNone({ ...nothing, error: new Error('away'), retry });

  await userEvent.click(await screen.findByRole('button', { name: 'Retry' }));

  expect(retry).toHaveBeenCalledOnce();
});
