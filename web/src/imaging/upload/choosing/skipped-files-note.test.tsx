import { render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { SkippedFilesNote } from './skipped-files-note.tsx';

afterEach(() => vi.restoreAllMocks());

test('twenty thousand left-out files render only the visible rows', () => {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(190);
  const files = Array.from({ length: 20_000 }, (_, index) => ({ name: `notes${index}`, why: 'Not a DICOM file' }));

  render(<SkippedFilesNote files={files} reason="left out" />);

  expect(screen.getByText('20,000 files left out')).toBeDefined();
  expect(screen.getByText('notes0')).toBeDefined();
  expect(screen.getAllByRole('listitem', { hidden: true }).length).toBeLessThan(100);
});
