import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { show } from '#test/screen.tsx';
import { instanceSummary, uploadItem } from '#test/upload.ts';
import { studyGroups } from './study-groups.ts';
import { StudyTable } from './study-table.tsx';

/** Returns a file of the study with this number. The patient is named after the number. */
const fileOf = (study: number, differences: Parameters<typeof uploadItem>[1] = {}, name = `Patient ${study}`) =>
  uploadItem(`IM${study}`, {
    summary: instanceSummary({
      studyInstanceUID: `2.25.${study}`,
      patientKey: name,
      comparableName: name,
      patientName: name,
    }),
    ...differences,
  });

const rowNames = () =>
  within(screen.getByRole('table'))
    .getAllByRole('rowheader')
    .map(({ textContent }) => textContent);

test('a long list of studies shows more on request', async () => {
  show(
    <StudyTable
      groups={studyGroups(Array.from({ length: 250 }, (_, index) => fileOf(index)))}
      pseudonyms={undefined}
    />,
  );

  expect(rowNames()).toHaveLength(200);

  await userEvent.click(screen.getByRole('button', { name: 'Show 50 more' }));

  expect(rowNames()).toHaveLength(250);
  expect(screen.queryByRole('button')).toBeNull();
});

test('studies with failures come first, then studies with two patients or unreadable files', () => {
  const files = [
    fileOf(1),
    fileOf(2),
    fileOf(2, {}, 'Somebody else'),
    uploadItem('IM9', { summary: undefined }),
    fileOf(3),
    fileOf(4, { state: 'Failed' }),
  ];

  show(<StudyTable groups={studyGroups(files)} pseudonyms={undefined} />);

  expect(rowNames()).toEqual([
    'Patient 4 P-1',
    'Patient 2 P-1',
    'Somebody else P-1',
    'Not readable in the browser',
    'Patient 1 P-1',
    'Patient 3 P-1',
  ]);
});
