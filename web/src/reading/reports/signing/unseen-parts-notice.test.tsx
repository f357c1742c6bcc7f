import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { registerFilledText } from '#reading/editor/filled/open-filled-text.ts';
import { show } from '#test/screen.tsx';
import { reportFor } from '#test/written-report.ts';
import { UnseenPartsNotice } from './unseen-parts-notice.tsx';

const filled = reportFor({ content: '<p><span data-filled="dose">5 mGy</span></p>' });

test('signing says how many filled parts were not looked at, and leads to the first', async () => {
  const [close, find] = [vi.fn<() => void>(), vi.fn<() => boolean>(() => true)];
  onTestFinished(registerFilledText('s1', { count: () => 2, show: find, confirm: () => {} }));
  show(<UnseenPartsNotice report={filled} onClose={close} />);

  expect(screen.getByText(/^2 filled parts have not been looked at\./)).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Go to the first' }));

  expect(close).toHaveBeenCalledOnce();
  await waitFor(() => expect(find).toHaveBeenCalledOnce());
});

test('without an open editor, the stored text decides', () => {
  show(<UnseenPartsNotice report={filled} onClose={() => {}} />);

  expect(screen.getByText(/^1 filled part has not been looked at\./)).toBeDefined();
  expect(screen.queryByRole('button')).toBeNull();
});

test('without filled parts there is no notice', () => {
  const { container } = show(<UnseenPartsNotice report={reportFor()} onClose={() => {}} />);

  expect(container.querySelector('button')).toBeNull();
  expect(screen.queryByText(/looked at/)).toBeNull();
});
