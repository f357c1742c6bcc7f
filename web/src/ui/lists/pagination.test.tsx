import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { show } from '#test/screen.tsx';
import { entriesShown, pagesAround, Pagination } from './pagination.tsx';

test.each([
  [0, 1, [0]],
  [0, 0, []],
  [0, 4, [0, 1, 2, 3]],
  [0, 114, [0, 1, 2, null, 113]],
  [3, 114, [0, 1, 2, 3, 4, 5, null, 113]],
  [50, 114, [0, null, 48, 49, 50, 51, 52, null, 113]],
  [113, 114, [0, null, 111, 112, 113]],
])('on page %i of %i the pagination shows the pages %j', (current, total, pages) => {
  expect(pagesAround(current, total)).toEqual(pages);
});

test.each([
  [0, 10, 47, 'Showing 1 to 10 of 47 entries'],
  [4, 10, 47, 'Showing 41 to 47 of 47 entries'],
  [0, 25, 2847, 'Showing 1 to 25 of 2,847 entries'],
  [0, 10, 0, 'Showing 0 to 0 of 0 entries'],
  [9, 10, 47, 'Showing 0 to 0 of 47 entries'],
])('for page %i, page size %i and %i entries in total, the text is: %s', (page, size, total, words) => {
  expect(entriesShown(page, size, total)).toBe(words);
});

const five = { content: [], number: 0, totalElements: 47, totalPages: 5 };

test('the pagination marks an inexact total, and continues after the last known page', () => {
  const page = { content: [], number: 99, totalElements: 1000, totalPages: 103, isTotalExact: false };
  show(<Pagination currentPage={page} size={10} onPaging={() => undefined} />);

  expect(screen.getByText('Showing 991 to 1,000 of more than 1,000 entries')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Next' })).toHaveProperty('disabled', false);
});

test('the pagination has buttons for the first and the last page on request', async () => {
  const onPaging = vi.fn<(next: object) => void>();
  show(<Pagination currentPage={{ ...five, number: 2 }} size={10} hasEnds onPaging={onPaging} />);

  await userEvent.click(screen.getByRole('button', { name: 'First' }));
  await userEvent.click(screen.getByRole('button', { name: 'Last' }));

  expect(onPaging.mock.calls).toEqual([[{ page: undefined }], [{ page: 4 }]]);
});

test('pages and page sizes can be chosen, and the buttons at the ends are disabled', async () => {
  const onPaging = vi.fn<(next: object) => void>();
  show(<Pagination currentPage={five} size={10} onPaging={onPaging} />);

  await userEvent.click(screen.getByRole('button', { name: 'Page 5' }));
  await userEvent.click(screen.getByRole('button', { name: 'Next' }));
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Entries per page' }), '50 / page');

  expect(onPaging.mock.calls).toEqual([[{ page: 4 }], [{ page: 1 }], [{ size: 50, page: undefined }]]);
  expect(screen.getByRole('button', { name: 'Previous' })).toHaveProperty('disabled', true);
  expect(screen.getByRole('button', { name: 'Page 1' }).getAttribute('aria-current')).toBe('page');
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    '10 / page',
    '25 / page',
    '50 / page',
    '100 / page',
  ]);
});
