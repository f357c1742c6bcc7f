import { pageOf } from '@radwork/contract/core/paging';
import { type ReportHit, reportSearch } from '@radwork/contract/reading/report-search';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, refuse, signIn, visit } from '#test/screen.tsx';
import { reportFor } from '#test/written-report.ts';

const hit = (overrides: Partial<ReportHit> = {}): ReportHit => ({
  ...reportFor({ id: '0190f6f0-0000-7000-8000-000000000001' }),
  part: 0,
  snippet: [
    { text: 'A solid ', isHit: false },
    { text: 'nodule', isHit: true },
    { text: ' <b>of</b> 6 mm.', isHit: false },
  ],
  ...overrides,
});

const authors = answer(reportSearch.authors, () => [
  { id: '0190f6f0-0000-7000-8000-0000000000a1', username: 'mona', name: 'Mona Haddad' },
]);

const hitsOf = (hits: ReportHit[], more: object = {}) =>
  answer(reportSearch.find, ({ url }) => ({
    ...pageOf(hits, hits.length, { page: Number(url.searchParams.get('page')), size: 10 }),
    isTotalExact: true,
    isRanked: true,
    isIndexComplete: true,
    ...more,
  }));

const open = async (address: string, hits = hitsOf([hit()])) => {
  signIn();
  const view = visit(address, hits, authors);
  await screen.findByRole('heading', { name: 'Reports' });
  const requestedParams = () =>
    view.calls.filter(({ url }) => url.pathname === '/api/reports/text-search').map(({ url }) => url.searchParams);
  return { ...view, requestedParams };
};

test('hits show patient, status and the marked words as text', async () => {
  await open('/reports?in=text&text=nodule');

  const found = within(await screen.findByRole('article', { name: 'Report of Doe, Jane' }));
  expect(found.getByText('nodule', { selector: 'mark' })).toBeDefined();
  expect(found.getByText(/<b>of<\/b> 6 mm/)).toBeDefined();
  expect(found.getByRole('link', { name: 'Doe, Jane' }).getAttribute('href')).toContain('reportId=');
  expect(screen.getByText(/1 report · best match first/)).toBeDefined();
});

test('the search starts when the user pauses typing, and everything is in the address', async () => {
  const { address, requestedParams } = await open('/reports?in=text');
  expect(screen.getByText('Search report texts')).toBeDefined();

  await userEvent.type(screen.getByRole('searchbox', { name: 'Search report texts' }), 'meningioma');
  await waitFor(() => expect(address()).toBe('/reports?in=text&text=meningioma'));
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Author' }), 'Mona Haddad');

  await waitFor(() => expect(requestedParams().at(-1)?.get('authorId')).toBe('0190f6f0-0000-7000-8000-0000000000a1'));
  expect(requestedParams().at(-1)?.get('text')).toBe('meningioma');
});

test('a search without hits offers to clear it, and a failed search offers a retry', async () => {
  await open('/reports?in=text&text=nothing', hitsOf([]));
  expect(await screen.findByText('No matching reports')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Clear search' }));
  expect(await screen.findByText('Search report texts')).toBeDefined();
});

test('a refused search shows the reason', async () => {
  await open('/reports?in=text&text=--', refuse(reportSearch.find, 400, 'Type at least one word'));

  expect(await screen.findByText(/Type at least one word/)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined();
});

test('the screen says that older reports are missing while they are indexed, and that the newest come first', async () => {
  await open('/reports?in=text&text=lung', hitsOf([hit({ part: 2 })], { isIndexComplete: false, isRanked: false }));

  expect(await screen.findByText(/Older reports are still being indexed/)).toBeDefined();
  expect(screen.getByText(/newest first/)).toBeDefined();
  expect(screen.getByText('Addendum 2:')).toBeDefined();
});
