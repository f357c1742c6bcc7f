import { render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { LeftOutNote } from './left-out-note.tsx';

afterEach(() => vi.restoreAllMocks());

test('of twenty thousand files that are left out only those in view are built', () => {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(190);
  const files = Array.from({ length: 20_000 }, (_, index) => ({ name: `notes${index}`, why: 'Not a DICOM file' }));

  render(<LeftOutNote files={files} said="left out" />);

  expect(screen.getByText('20,000 files left out')).toBeDefined();
  expect(screen.getByText('notes0')).toBeDefined();
  expect(screen.getAllByRole('listitem', { hidden: true }).length).toBeLessThan(100);
});
