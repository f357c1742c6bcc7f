import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { dialogOnDemand, loadOnDemand } from './on-demand.tsx';

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

test('the code of a dialog is fetched when the dialog first opens, and stays to fade out', async () => {
  let attempts = 0;
  const LateDialog = dialogOnDemand(() => {
    attempts += 1;
    return Promise.resolve(({ opened }: { opened: boolean }) => <p>{opened ? 'Open' : 'Closed'}</p>);
  });

  const { rerender } = render(<LateDialog opened={false} />);
  expect(attempts).toBe(0);
  rerender(<LateDialog opened />);
  expect(await screen.findByText('Open')).toBeTruthy();
  rerender(<LateDialog opened={false} />);
  expect(screen.getByText('Closed')).toBeTruthy();
});
