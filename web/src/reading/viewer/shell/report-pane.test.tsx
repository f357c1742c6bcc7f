import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { show } from '#test/screen.tsx';
import { ReportPane } from './report-pane.tsx';

const showPane = (isOpen = true) =>
  show(
    <ReportPane isOpen={isOpen}>
      <textarea aria-label="Text" />
    </ReportPane>,
  );

const edge = () => screen.getByRole('separator', { name: 'Report width' });

test('the report pane keeps its width, also when set by keys', async () => {
  const { unmount } = showPane();
  expect(edge().getAttribute('aria-valuenow')).toBe('40');

  edge().focus();
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}{ArrowLeft}{ArrowRight}');
  unmount();
  showPane();

  expect(edge().getAttribute('aria-valuenow')).toBe('44');
  expect(screen.getByRole('complementary', { name: 'Report' }).style.flexBasis).toBe('44%');
});

test('the report pane is never too narrow to read, and always leaves room for an image', () => {
  showPane();

  for (let press = 0; press < 40; press += 1) fireEvent.keyDown(edge(), { key: 'ArrowLeft' });
  const widest = edge().getAttribute('aria-valuenow');
  for (let press = 0; press < 60; press += 1) fireEvent.keyDown(edge(), { key: 'ArrowRight' });

  expect([widest, edge().getAttribute('aria-valuenow')]).toEqual(['64', '20']);
});

test('a closed report pane is hidden but stays mounted, so unsaved text stays', () => {
  showPane(false);

  expect(screen.queryByRole('complementary', { name: 'Report' })).toBeNull();
  expect(screen.getByLabelText('Text')).toBeDefined();
});
