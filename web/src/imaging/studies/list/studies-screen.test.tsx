import { reports } from '@radwork/contract/reading/reports';
import { studies, studySortFields } from '@radwork/contract/imaging/studies';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { refuse, signIn, visit } from '#test/screen.tsx';
import { choose, counts, named, openStudies, pageOf, study } from '#test/study-list.tsx';
import { typeAtOnce } from '#test/insert-typed-text.ts';
import { studyColumns } from './study-columns.tsx';

test('the study list sends all parameters of its address to the server', async () => {
  const { searches } = await openStudies(
    '/studies?view=MINE&query=haddad&modality=CT&status=PENDING&startDate=2026-11-01&endDate=2026-11-21&page=2&size=25&sort=patientName,asc',
    () => pageOf([study()], 60, 2, 25),
  );

  await screen.findByText('Showing 51 to 60 of 60 entries');

  expect(Object.fromEntries(searches()[0]?.searchParams ?? [])).toEqual({
    view: 'MINE',
    query: 'haddad',
    modality: 'CT',
    status: 'PENDING',
    startDate: '2026-11-01',
    endDate: '2026-11-21',
    page: '2',
    size: '25',
    sort: 'patientName,asc',
  });
  expect(screen.getByRole('button', { name: /^Mine/, pressed: true })).toBeDefined();
  expect(screen.getByPlaceholderText('Search studies...')).toHaveProperty('value', 'haddad');
  expect(screen.getByLabelText('Modality')).toHaveProperty('value', 'CT');
  expect(screen.getByLabelText('From date')).toHaveProperty('value', '2026-11-01');
  expect(screen.getByRole('columnheader', { name: 'Patient Name' }).getAttribute('aria-sort')).toBe('ascending');
});

test('the study list ignores invalid parameters in its address', async () => {
  const { searches } = await openStudies('/studies?page=-3&size=7&sort=password,asc&status=NOPE', () =>
    pageOf([study()]),
  );

  await screen.findByText('Showing 1 to 1 of 1 entries');

  expect(searches()[0]?.search).toBe('?page=0&size=10&sort=urgency%2Cdesc');
});

test('typing in the study search searches after a pause, from page one, without a history entry', async () => {
  const { searches, router, address } = await openStudies('/studies?page=3', () => pageOf([study()], 47, 3));
  await screen.findByText('Showing 31 to 40 of 47 entries');
  const steps = router.history.length;

  typeAtOnce(screen.getByPlaceholderText('Search studies...'), 'had');

  await waitFor(() => expect(address()).toBe('/studies?query=had'));
  expect(searches().map(({ searchParams }) => searchParams.get('query'))).toEqual([null, 'had']);
  expect(router.history.length).toBe(steps);
});

test('a search that still waits for a pause does not close a study that the user opens', async () => {
  const { address } = await openStudies('/studies', () => pageOf([named('Okafor')]), {
    answers: [refuse(studies.get, 404, 'Study not found'), refuse(reports.ofStudy, 404, 'Study not found')],
  });
  const link = await screen.findByRole('link', { name: 'Okafor, X' });

  typeAtOnce(screen.getByPlaceholderText('Search studies...'), 'b');
  fireEvent.click(link);

  expect(await screen.findByText('Study not found')).toBeDefined();
  expect(address()).toBe('/studies/id-of-Okafor');
});

test('a late answer never replaces the answer to a newer search', async () => {
  const waiting = new Map<string | null, () => void>();
  const { calls } = await openStudies('/studies', async ({ url }) => {
    const query = url.searchParams.get('query');
    if (query) await new Promise<void>((resolve) => waiting.set(query, resolve));
    return pageOf([named(query ?? 'Nobody')]);
  });
  await screen.findByRole('link', { name: 'Nobody, X' });
  const field = screen.getByPlaceholderText('Search studies...');

  await userEvent.type(field, 'first');
  await waitFor(() => expect(waiting.has('first')).toBe(true));
  expect(screen.getByRole('link', { name: 'Nobody, X' })).toBeDefined();
  await userEvent.clear(field);
  await userEvent.type(field, 'second');
  await waitFor(() => expect(waiting.has('second')).toBe(true));
  waiting.get('second')?.();
  await screen.findByRole('link', { name: 'second, X' });
  await act(async () => waiting.get('first')?.());

  expect(screen.queryByRole('link', { name: 'first, X' })).toBeNull();
  const first = calls.find(({ url }) => url.searchParams.get('query') === 'first');
  expect(first?.signal?.aborted).toBe(true);
});

test('a chosen filter applies at once and returns to the first page', async () => {
  const { address } = await openStudies('/studies?page=3', () => pageOf([study()], 47, 3));

  await userEvent.selectOptions(await screen.findByLabelText('Status'), 'In progress');

  await waitFor(() => expect(address()).toBe('/studies?status=IN_PROGRESS'));
});

test('an invalid date range shows an error and is not requested', async () => {
  const { searches } = await openStudies('/studies', () => pageOf([study()]));

  await userEvent.type(await screen.findByLabelText('From date'), '2026-11-22');
  await userEvent.type(screen.getByLabelText('To date'), '2026-11-01');

  expect(await screen.findByText('From date must not be after to date')).toBeDefined();
  expect(searches().some(({ searchParams }) => searchParams.get('endDate') === '2026-11-01')).toBe(false);
});

test('a click on a column header sorts on the server, and the next click reverses the order', async () => {
  const { address } = await openStudies('/studies?page=1', () => pageOf([study()], 47, 1));

  await userEvent.click(await screen.findByRole('button', { name: 'Patient Name' }));
  await waitFor(() => expect(address()).toBe('/studies?sort=patientName%2Casc'));
  await userEvent.click(screen.getByRole('button', { name: 'Patient Name' }));

  await waitFor(() => expect(address()).toBe('/studies?sort=patientName%2Cdesc'));
});

test.each([
  ['Patient Name', 'patientName,asc'],
  ['Patient ID', 'patientId,asc'],
  ['Study Date', 'studyDate,desc'],
  ['Accession', 'accessionNumber,asc'],
  ['Modality', 'modality,asc'],
  ['Status', 'status,asc'],
  ['Series count', 'seriesCount,desc'],
  ['Description', 'description,asc'],
  ['Priority', 'priority,asc'],
  ['Assignees', 'assignees,asc'],
  ['Due', 'dueDate,asc'],
  ['Referring physician', 'referringPhysicianName,asc'],
])('the column %s sorts by %s on the server', async (head, sort) => {
  const { searches } = await openStudies('/studies', () => pageOf([study()]));
  await choose('Patient ID', 'Accession', 'Assignees', 'Due', 'Referring physician');

  await userEvent.click(screen.getByRole('button', { name: head }));

  await waitFor(() => expect(searches().at(-1)?.searchParams.get('sort')).toBe(sort));
});

test('a column header is sortable exactly if the server sorts by its column', async () => {
  await openStudies('/studies', () => pageOf([study()]));
  await choose('Patient ID', 'Accession', 'Assignees', 'Due', 'Referring physician');

  const sortable = studyColumns({}).flatMap(({ id, header }) =>
    studySortFields.some((field) => field === id) ? [String(header)] : [],
  );
  const heads = within(screen.getByRole('table', { name: 'studies' })).getAllByRole('columnheader');
  const pressable = heads.filter((head) => within(head).queryByRole('button'));
  expect(pressable.map(({ textContent }) => textContent)).toEqual(sortable);
  // Two sort fields, the arrival time and the urgency, have no column.
  expect(sortable).toHaveLength(studySortFields.length - 2);
});

test('the study list links to the form for a new study', async () => {
  await openStudies('/studies', () => pageOf([study()]));

  expect(screen.getByRole('link', { name: 'Create New Study' }).getAttribute('href')).toBe('/studies/create');
});

test('Back restores page, worklist and filters', async () => {
  const { address, router, searches } = await openStudies('/studies?query=had', ({ url }) =>
    pageOf([study()], 47, Number(url.searchParams.get('page'))),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Page 3' }));
  await screen.findByText('Showing 21 to 30 of 47 entries');
  await userEvent.click(screen.getByRole('button', { name: 'Pending 47' }));
  await waitFor(() => expect(address()).toBe('/studies?query=had&view=PENDING'));
  await userEvent.clear(screen.getByPlaceholderText('Search studies...'));
  await waitFor(() => expect(address()).toBe('/studies?view=PENDING'));

  act(() => router.history.back());

  expect(await screen.findByText('Showing 21 to 30 of 47 entries')).toBeDefined();
  expect(address()).toBe('/studies?query=had&page=2');
  expect(screen.getByPlaceholderText('Search studies...')).toHaveProperty('value', 'had');
  act(() => router.history.back());
  expect(await screen.findByText('Showing 1 to 10 of 47 entries')).toBeDefined();
  expect(searches().at(-1)?.search).toContain('page=0');
});

test('the address contains page and page size', async () => {
  const { address } = await openStudies('/studies', ({ url }) =>
    pageOf([study()], 47, Number(url.searchParams.get('page'))),
  );

  await userEvent.click(await screen.findByRole('button', { name: 'Page 3' }));
  await waitFor(() => expect(address()).toBe('/studies?page=2'));
  await userEvent.selectOptions(screen.getByLabelText('Entries per page'), '50 / page');

  await waitFor(() => expect(address()).toBe('/studies?size=50'));
});

test('a page number after the last page opens the last page', async () => {
  const { address } = await openStudies('/studies?page=9', ({ url }) => {
    const page = Number(url.searchParams.get('page'));
    return pageOf(page > 4 ? [] : [study()], 47, page);
  });

  await waitFor(() => expect(address()).toBe('/studies?page=4'));
});

test('an empty archive offers an upload', async () => {
  await openStudies('/studies', () => pageOf([]));

  expect(await screen.findByText('No studies yet')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Upload images' }).getAttribute('href')).toBe('/studies/create');
  expect(screen.getByRole('link', { name: 'Create New Study' })).toBeDefined();
});

test('filters without matching studies can be cleared', async () => {
  const { address } = await openStudies('/studies?query=zzz&size=25', () => pageOf([]));

  await userEvent.click(await screen.findByRole('button', { name: 'Clear filters' }));

  await waitFor(() => expect(address()).toBe('/studies?size=25'));
  expect(screen.getByPlaceholderText('Search studies...')).toHaveProperty('value', '');
});

test('a study list that fails to load shows the reason, the trace ID and a retry button', async () => {
  signIn();
  visit('/studies', refuse(studies.search, 500, 'Server error occurred'), counts);

  const alert = within(await screen.findByRole('alert'));

  expect(alert.getByText('Error fetching studies')).toBeDefined();
  expect(alert.getByText('Server error occurred')).toBeDefined();
  expect(alert.getByText('trace-1')).toBeDefined();
  expect(alert.getByRole('button', { name: 'Retry' })).toBeDefined();
});

test('a failed search says that the search failed', async () => {
  signIn();
  visit('/studies?query=haddad', refuse(studies.search, 500, 'Server error occurred'), counts);

  expect(await screen.findByText('Error searching studies')).toBeDefined();
});

test('worklists show their number of studies and open at their first page', async () => {
  const { address, searches } = await openStudies('/studies?query=x&status=COMPLETED&page=2', () => pageOf([study()]));

  await userEvent.click(await screen.findByRole('button', { name: 'Pending 47' }));

  await waitFor(() => expect(address()).toBe('/studies?query=x&view=PENDING'));
  expect(searches().at(-1)?.searchParams.get('view')).toBe('PENDING');
  expect(screen.getByRole('button', { name: 'All 1,000+' })).toBeDefined();
});

test('an empty worklist shows a message and leads to all studies', async () => {
  const { address } = await openStudies('/studies?view=MINE', () => pageOf([]));

  expect(await screen.findByText('No studies assigned to you')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Show all studies' }));

  await waitFor(() => expect(address()).toBe('/studies'));
});

test('if the server stopped counting, the total is shown as "more than" the counted number', async () => {
  await openStudies('/studies', () => ({ ...pageOf([study()], 1000), isTotalExact: false }));

  expect(await screen.findByText('Showing 1 to 10 of more than 1,000 entries')).toBeDefined();
});

test('rows that cannot be refreshed stay, with the time of their last refresh', async () => {
  let isAway = false;
  await openStudies('/studies', () => {
    if (isAway) throw new TypeError('Failed to fetch');
    return pageOf([study()]);
  });
  await screen.findByRole('link', { name: 'Bergström, Chidi' });

  isAway = true;
  await userEvent.click(screen.getByRole('button', { name: 'Search' }));

  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toMatch(/^Error fetching studies\. Showing studies as of \d\d:\d\d:\d\d\.Retry$/);
  expect(screen.getByRole('link', { name: 'Bergström, Chidi' })).toBeDefined();
});
