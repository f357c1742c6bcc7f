import { type KeptLayout, keptLayouts } from '@radwork/contract/reading/kept-layouts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { query } from '#core/http/api.ts';
import { answer, refuse, serve, show } from '#test/screen.tsx';
import { useSavedLayout, useLayoutsFromServer } from './use-saved-layouts.ts';

function Knee({ isThere = false }: { isThere?: boolean }) {
  useLayoutsFromServer(isThere);
  const { kept, keep, forget } = useSavedLayout('MR knee');
  return (
    <>
      <output>{kept ? `${kept.layout}: ${kept.roles.join(', ')}` : 'by the rules'}</output>
      <button onClick={() => keep({ layout: '1x2', roles: ['T1', 'PD'] })}>Keep</button>
      <button onClick={forget}>Forget</button>
    </>
  );
}

const statusText = () => screen.getByRole('status').textContent;

/** Server that stores the layouts it receives. */
const keeping = (atFirst: KeptLayout[] = []) => {
  const server = { kept: atFirst };
  serve(
    answer(keptLayouts.mine, () => server.kept),
    answer(keptLayouts.keep, ({ body }) => {
      server.kept = [body as KeptLayout];
      return body as KeptLayout;
    }),
    answer(keptLayouts.forget, () => {
      server.kept = [];
    }),
  );
  return server;
};

test('a saved layout appears on another workstation, and a deleted layout disappears everywhere', async () => {
  const server = keeping([{ kind: 'MR knee', layout: '2x2', roles: ['PD', 'T2'] }]);
  show(<Knee />);

  await waitFor(() => expect(statusText()).toBe('2x2: PD, T2'));
  await userEvent.click(screen.getByRole('button', { name: 'Forget' }));
  expect(statusText()).toBe('by the rules');
  await waitFor(() => expect(server.kept).toEqual([]));
});

test('a saved layout applies at once and is sent to the server', async () => {
  const server = keeping();
  show(<Knee />);

  await userEvent.click(screen.getByRole('button', { name: 'Keep' }));

  expect(statusText()).toBe('1x2: T1, PD');
  await waitFor(() => expect(server.kept).toEqual([{ kind: 'MR knee', layout: '1x2', roles: ['T1', 'PD'] }]));
});

test('a layout that could not be sent is sent when the next study opens', async () => {
  serve(
    answer(keptLayouts.mine, () => []),
    refuse(keptLayouts.keep, 503, 'The database is away'),
  );
  const first = show(<Knee />);
  await userEvent.click(screen.getByRole('button', { name: 'Keep' }));
  await screen.findByText(/^Saved in this browser only/);
  expect(statusText()).toBe('1x2: T1, PD');
  first.unmount();

  const server = keeping();
  show(<Knee />);

  await waitFor(() => expect(server.kept).toEqual([{ kind: 'MR knee', layout: '1x2', roles: ['T1', 'PD'] }]));
  expect(statusText()).toBe('1x2: T1, PD');
});

test('an answer of the server that arrives after a study opened applies when the next study opens', async () => {
  const server = { asked: 0 };
  serve(
    answer(keptLayouts.mine, () => {
      server.asked += 1;
      return [{ kind: 'MR knee', layout: '2x2' as const, roles: ['PD'] }];
    }),
  );
  function Screen() {
    const [isOpen, setOpen] = useState(true);
    const { isFetching } = useQuery(query(keptLayouts.mine, {}));
    return (
      <>
        {isOpen && <Knee isThere />}
        <p>{isFetching ? 'asking' : 'answered'}</p>
        <button onClick={() => setOpen(!isOpen)}>Open or close</button>
      </>
    );
  }
  show(<Screen />);
  await screen.findByText('answered');
  expect([server.asked, statusText()]).toEqual([1, 'by the rules']);

  await userEvent.click(screen.getByRole('button', { name: 'Open or close' }));
  await userEvent.click(screen.getByRole('button', { name: 'Open or close' }));

  expect(statusText()).toBe('2x2: PD');
});
