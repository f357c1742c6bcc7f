import { MantineProvider } from '@mantine/core';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { expect, test, vi } from 'vitest';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { dialogOnDemand, loadOnDemand, partOnDemand } from './on-demand.tsx';

const show = (content: ReactNode) => render(<MantineProvider env="test">{content}</MantineProvider>);

function Sheet({ title }: { title: string }) {
  return <h1>{title}</h1>;
}

test('a placeholder is shown until the code of the component arrives', async () => {
  const LateSheet = loadOnDemand(() => Promise.resolve(Sheet));

  render(<LateSheet title="Findings" waiting={<p>Loading</p>} />);

  expect(screen.getByText('Loading')).toBeTruthy();
  expect(await screen.findByRole('heading', { name: 'Findings' })).toBeTruthy();
  expect(screen.queryByText('Loading')).toBeNull();
});

test('a component whose code was prefetched appears at once', async () => {
  const LateSheet = loadOnDemand(() => Promise.resolve(Sheet));
  await LateSheet.prefetch();

  render(<LateSheet title="Findings" waiting={<p>Loading</p>} />);

  expect(screen.getByRole('heading', { name: 'Findings' })).toBeTruthy();
});

test('the code of a component is fetched when needed if prefetching failed', async () => {
  let attempts = 0;
  const LateSheet = loadOnDemand(() => {
    attempts += 1;
    return attempts === 1 ? Promise.reject(new Error('Failed to fetch')) : Promise.resolve(Sheet);
  });

  await LateSheet.prefetch();
  render(<LateSheet title="Findings" />);

  expect(await screen.findByRole('heading', { name: 'Findings' })).toBeTruthy();
});

test('a part whose code did not load says so, and loads when the user retries', async () => {
  let attempts = 0;
  const LateSheet = partOnDemand(() => {
    attempts += 1;
    return attempts === 1 ? Promise.reject(new Error('Failed to fetch')) : Promise.resolve(Sheet);
  });
  show(<LateSheet title="Findings" />);

  expect((await screen.findByRole('alert')).textContent).toContain('This part of the application did not load');
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));

  expect(await screen.findByRole('heading', { name: 'Findings' })).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});

function Question({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Question">
      <input aria-label="Name" data-autofocus />
    </Dialog>
  );
}

type Load = () => Promise<typeof Question>;

/** Shows a button that opens a dialog on demand. */
const showQuestion = (load: Load) => {
  const LateQuestion = dialogOnDemand(load);
  function Page() {
    const [isOpen, setOpen] = useState(false);
    return (
      <>
        <button type="button" onClick={() => setOpen(true)}>
          Ask
        </button>
        <LateQuestion opened={isOpen} onClose={() => setOpen(false)} />
      </>
    );
  }
  show(<Page />);
  return screen.getByRole('button', { name: 'Ask' });
};

test('a part whose styles did not load offers only to reload the page, also after a failed prefetch', async () => {
  const LateSheet = partOnDemand<{ title: string }>(() =>
    Promise.reject(new Error('Unable to preload CSS for /assets/sheet.css')),
  );
  await LateSheet.prefetch();
  show(<LateSheet title="Findings" />);

  expect(await screen.findByRole('button', { name: 'Reload page' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
});

test('the code of a dialog is fetched when the dialog first opens, and once', async () => {
  const load = vi.fn<Load>(() => Promise.resolve(Question));
  const button = showQuestion(load);
  expect(load).not.toHaveBeenCalled();

  for (const _ of ['first', 'second']) {
    await userEvent.click(button);
    await screen.findByRole('dialog', { name: 'Question' });
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }

  expect(load).toHaveBeenCalledTimes(1);
});

test('a dialog that opens before its code has arrived appears with it, takes the focus and returns it', async () => {
  const { promise, resolve } = Promise.withResolvers<typeof Question>();
  const button = showQuestion(() => promise);
  await userEvent.click(button);
  expect(screen.queryByRole('dialog')).toBeNull();

  resolve(Question);

  const field = await screen.findByLabelText('Name');
  await waitFor(() => expect(document.activeElement).toBe(field));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(button));
});

test('a dialog whose code did not load says so, and opens when the user retries', async () => {
  const load = vi.fn<Load>(() => Promise.resolve(Question));
  load.mockRejectedValueOnce(new Error('Failed to fetch'));
  const button = showQuestion(load);
  await userEvent.click(button);

  await screen.findByRole('dialog', { name: 'This part of the application did not load' });
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));

  expect(await screen.findByRole('dialog', { name: 'Question' })).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a dialog whose code did not load can be closed, and loads when it opens again', async () => {
  const load = vi.fn<Load>(() => Promise.resolve(Question));
  load.mockRejectedValueOnce(new Error('Failed to fetch'));
  const button = showQuestion(load);
  await userEvent.click(button);

  await userEvent.click(await screen.findByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  await userEvent.click(button);

  expect(await screen.findByRole('dialog', { name: 'Question' })).toBeTruthy();
});
