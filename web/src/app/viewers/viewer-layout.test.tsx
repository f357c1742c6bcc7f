import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
  useNavigate,
} from '@tanstack/react-router';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { useFocusOnNavigation } from '#app/shell/use-focus-on-navigation.ts';
import { show } from '#test/screen.tsx';
import { viewerOfStudy } from './viewer-layout.tsx';

function Layout() {
  const main = useFocusOnNavigation(viewerOfStudy);
  return (
    <main ref={main} tabIndex={-1}>
      <Outlet />
    </main>
  );
}

function Viewer() {
  const navigate = useNavigate();
  const go = (to: string) => void navigate({ to: to as '/' });
  return (
    <>
      <button onClick={() => go('/mpr/study-1/1.2.3')}>Series 2</button>
      <button onClick={() => go('/mpr/study-2')}>Next study</button>
    </>
  );
}

const showViewer = () => {
  const root = createRootRoute({ staticData: { can: 'public' }, component: Layout });
  const viewer = createRoute({
    getParentRoute: () => root,
    path: '/mpr/$id/{-$series}',
    staticData: { can: 'public', title: 'MPR' },
    component: Viewer,
  });
  const router = createRouter({
    routeTree: root.addChildren([viewer]),
    history: createMemoryHistory({ initialEntries: ['/mpr/study-1'] }),
  });
  show(<RouterProvider router={router as never} />);
  return router;
};

test('choosing a series by keyboard keeps the focus in the strip of series', async () => {
  const router = showViewer();
  const series = await screen.findByRole('button', { name: 'Series 2' });
  series.focus();

  await userEvent.keyboard('{Enter}');

  await waitFor(() => expect(router.state.resolvedLocation?.pathname).toBe('/mpr/study-1/1.2.3'));
  expect(document.activeElement).toBe(series);
});

test('another study in the viewer gets the focus', async () => {
  showViewer();
  (await screen.findByRole('button', { name: 'Next study' })).focus();

  await userEvent.keyboard('{Enter}');

  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')));
});
