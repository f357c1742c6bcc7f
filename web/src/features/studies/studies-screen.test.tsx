import type { UserType } from '@radwork/contract/access';
import { type SeriesSummary, studies, type StudyDetails, type StudyRow } from '@radwork/contract/studies';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, refuse, type Sent, signIn, visit } from '#test/screen.tsx';

const study = (given: Partial<StudyRow> = {}): StudyRow => ({
  id: '01a1fe1f-0000-7000-8000-000000000001',
  studyInstanceUID: '1.2.3',
  studyDescription: 'CT Angiography Chest',
  description: '',
  modality: 'CT',
  modalities: ['CT', 'SR'],
  studyDate: '2026-11-20T09:30:15',
  accessionNumber: 'A1',
  status: 'PENDING',
  priority: 'STAT',
  referringPhysicianName: '',
  referringPhysicianPhone: '',
  createdDate: new Date(Date.now() - 83 * 60_000).toISOString(),
  lastModifiedDate: '2026-11-20T10:00:00Z',
  seriesCount: 2,
  instanceCount: 212,
  patient: { id: 'p1', patientName: 'Bergström^Chidi', patientId: 'MRN1', gender: 'M', dateOfBirth: '1961-04-12' },
  ...given,
});

const named = (family: string, given: Partial<StudyRow> = {}): StudyRow =>
  study({ id: `id-of-${family}`, patient: { ...study().patient, patientName: `${family}^X` }, ...given });

const pageOf = (content: StudyRow[], total = content.length, number = 0, size = 10) => ({
  content,
  totalElements: total,
  totalPages: Math.ceil(total / size),
  number,
  size,
});

const counts = answer(studies.list, () => pageOf([], 47));

/** Opens the list with these answers to its searches. */
const open = async (
  address: string,
  reply: (sent: Sent) => ReturnType<typeof pageOf> | Promise<ReturnType<typeof pageOf>>,
  { as, answers = [] }: { as?: UserType; answers?: ReturnType<typeof answer>[] } = {},
) => {
  signIn(as);
  const view = visit(address, ...answers, answer(studies.search, reply), counts);
  await screen.findByRole('heading', { name: 'Studies' });
  const searches = () => view.calls.filter(({ url }) => url.pathname === '/api/studies/search').map(({ url }) => url);
  return { ...view, searches };
};

const rowOf = async (name: string) =>
  within((await screen.findByRole('link', { name })).closest('tr') ?? document.body);

test('a study is shown with everything that decides what to read next', async () => {
  await open('/studies', () => pageOf([study()]));

  const cells = (await screen.findByRole('row', { name: /Bergström, Chidi/ })).querySelectorAll('th, td');

  expect([...cells].map(({ textContent }) => textContent)).toEqual([
    '',
    'Bergström, ChidiMRN1 · M · 65y',
    '2026-11-20 09:30waiting 1h 23',
    'CT+1',
    'Pending',
    '2',
    'CT Angiography Chest',
    'STAT',
    '',
  ]);
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Show series',
    'Patient Name',
    'Study Date',
    'Modality',
    'Status',
    'Series count',
    'Description',
    'Priority',
    'Actions',
  ]);
  expect(screen.getByText('Showing 1 to 1 of 1 entries')).toBeDefined();
});

test('the department’s description goes before the scanner’s', async () => {
  await open('/studies', () => pageOf([study({ description: 'PE protocol' })]));

  expect(await screen.findByText('PE protocol')).toBeDefined();
  expect(screen.queryByText('CT Angiography Chest')).toBeNull();
});

test('a study that is done waits for nobody', async () => {
  await open('/studies', () => pageOf([study({ status: 'COMPLETED' })]));

  await screen.findByText('Completed', { selector: 'td *' });
  expect(screen.queryByText('waiting')).toBeNull();
});

test('the address is the view', async () => {
  const { searches } = await open(
    '/studies?query=haddad&modality=CT&status=PENDING&startDate=2026-11-01&endDate=2026-11-21&page=2&size=25&sort=patientName,asc',
    () => pageOf([study()], 60, 2, 25),
  );

  await screen.findByText('Showing 51 to 60 of 60 entries');

  expect(Object.fromEntries(searches()[0]?.searchParams ?? [])).toEqual({
    query: 'haddad',
    modality: 'CT',
    status: 'PENDING',
    startDate: '2026-11-01',
    endDate: '2026-11-21',
    page: '2',
    size: '25',
    sort: 'patientName,asc',
  });
  expect(screen.getByPlaceholderText('Search studies...')).toHaveProperty('value', 'haddad');
  expect(screen.getByLabelText('Modality')).toHaveProperty('value', 'CT');
  expect(screen.getByLabelText('From date')).toHaveProperty('value', '2026-11-01');
  expect(screen.getByRole('columnheader', { name: 'Patient Name' }).getAttribute('aria-sort')).toBe('ascending');
});

test('nonsense in the address counts as not said', async () => {
  const { searches } = await open('/studies?page=-3&size=7&sort=password,asc&status=NOPE', () => pageOf([study()]));

  await screen.findByText('Showing 1 to 1 of 1 entries');

  expect(searches()[0]?.search).toBe('?page=0&size=10&sort=studyDate%2Cdesc');
});

test('typing searches once it pauses, from the first page, and is one step for Back', async () => {
  const { searches, router, address } = await open('/studies?page=3', () => pageOf([study()], 47, 3));
  await screen.findByText('Showing 31 to 40 of 47 entries');
  const steps = router.history.length;

  await userEvent.type(screen.getByPlaceholderText('Search studies...'), 'had');

  await waitFor(() => expect(address()).toBe('/studies?query=had'));
  expect(searches().map(({ searchParams }) => searchParams.get('query'))).toEqual([null, 'had']);
  expect(router.history.length).toBe(steps);
});

test('an answer that comes late never replaces a later one', async () => {
  const waiting = new Map<string | null, () => void>();
  const { calls } = await open('/studies', async ({ url }) => {
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

test('a choice acts at once and returns to the first page', async () => {
  const { address } = await open('/studies?page=3', () => pageOf([study()], 47, 3));

  await userEvent.selectOptions(await screen.findByLabelText('Status'), 'In progress');

  await waitFor(() => expect(address()).toBe('/studies?status=IN_PROGRESS'));
});

test('dates that make no sense are said and not asked for', async () => {
  const { searches } = await open('/studies', () => pageOf([study()]));

  await userEvent.type(await screen.findByLabelText('From date'), '2026-11-22');
  await userEvent.type(screen.getByLabelText('To date'), '2026-11-01');

  expect(await screen.findByText('From date must not be after to date')).toBeDefined();
  expect(searches().some(({ searchParams }) => searchParams.get('endDate') === '2026-11-01')).toBe(false);
});

test('a head sorts on the server, and again the other way round', async () => {
  const { address } = await open('/studies?page=1', () => pageOf([study()], 47, 1));

  await userEvent.click(await screen.findByRole('button', { name: 'Patient Name' }));
  await waitFor(() => expect(address()).toBe('/studies?sort=patientName%2Casc'));
  await userEvent.click(screen.getByRole('button', { name: 'Patient Name' }));

  await waitFor(() => expect(address()).toBe('/studies?sort=patientName%2Cdesc'));
});

test('pages and their size are in the address', async () => {
  const { address } = await open('/studies', ({ url }) => pageOf([study()], 47, Number(url.searchParams.get('page'))));

  await userEvent.click(await screen.findByRole('button', { name: 'Page 3' }));
  await waitFor(() => expect(address()).toBe('/studies?page=2'));
  await userEvent.selectOptions(screen.getByLabelText('Entries per page'), '50 / page');

  await waitFor(() => expect(address()).toBe('/studies?size=50'));
});

test('a page past the end gives way to the last one', async () => {
  const { address } = await open('/studies?page=9', ({ url }) => {
    const page = Number(url.searchParams.get('page'));
    return pageOf(page > 4 ? [] : [study()], 47, page);
  });

  await waitFor(() => expect(address()).toBe('/studies?page=4'));
});

const series: SeriesSummary = {
  id: 's1',
  seriesInstanceUID: '1.2.3.4',
  seriesNumber: 1,
  seriesDescription: 'Axial 1.0 mm',
  modality: 'CT',
  bodyPartExamined: 'CHEST',
  instanceCount: 211,
};

test('a row opens to show its series', async () => {
  await open('/studies', () => pageOf([study()]), { answers: [answer(studies.series, () => [series])] });
  const expander = await screen.findByRole('button', { name: 'Show series' });
  expect(expander.getAttribute('aria-expanded')).toBe('false');

  await userEvent.click(expander);

  const table = within(await screen.findByRole('table', { name: 'Series' }));
  expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Series UID',
    'Modality',
    'Series Number',
    'Description',
    'Instance Count',
    'Actions',
  ]);
  expect(table.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual([
    '1.2.3.4',
    'CT',
    '1',
    'Axial 1.0 mm',
    '211',
    'MPR/3D',
  ]);
  expect(table.getByRole('link').getAttribute('href')).toBe(`/mpr/${study().id}/1.2.3.4`);
  expect(expander.getAttribute('aria-expanded')).toBe('true');
});

test('series that cannot be fetched say why and can be asked for again', async () => {
  await open('/studies', () => pageOf([study()]), { answers: [refuse(studies.series, 500, 'Server error occurred')] });

  await userEvent.click(await screen.findByRole('button', { name: 'Show series' }));

  const alert = within(await screen.findByRole('alert'));
  expect(alert.getByText('Server error occurred')).toBeDefined();
  expect(alert.getByRole('button', { name: 'Retry' })).toBeDefined();
});

test.each([
  [['CT', 'SR'], '/viewer/'],
  [['US', 'SR'], '/usviewer/'],
  [['US', 'CT'], '/viewer/'],
])('a study of %j opens in %s', async (modalities, path) => {
  await open('/studies', () => pageOf([study({ modalities })]));

  const link = await screen.findByRole('link', { name: 'Open viewer of Bergström, Chidi' });

  expect(link.getAttribute('href')).toBe(`${path}${study().id}`);
});

test('fusion is offered where it makes sense, and says why not elsewhere', async () => {
  await open('/studies', () => pageOf([named('Fit', { modalities: ['PT', 'CT'] }), named('Unfit')]));

  const fit = await rowOf('Fit, X');
  const unfit = await rowOf('Unfit, X');

  expect(fit.getByRole('link', { name: 'Open fusion of Fit, X' }).getAttribute('href')).toBe('/petct/id-of-Fit');
  const refused = unfit.getByRole('button', { name: /Open fusion of Unfit, X\. Fusion needs a PT or NM series/ });
  expect(refused.getAttribute('aria-disabled')).toBe('true');
});

test('deleting asks first, says what goes, and does nothing after a no', async () => {
  let deleted = 0;
  const { searches } = await open('/studies', () => pageOf([study()]), {
    as: 'ADMIN',
    answers: [answer(studies.remove, () => void deleted++)],
  });

  await userEvent.click(await screen.findByRole('button', { name: 'Delete study of Bergström, Chidi' }));
  const question = within(await screen.findByRole('dialog', { name: 'Are you sure you want to delete this study?' }));
  expect(question.getByText(/2 series with 212 images/)).toBeDefined();
  await userEvent.click(question.getByRole('button', { name: 'Cancel' }));
  expect(deleted).toBe(0);
  await userEvent.click(screen.getByRole('button', { name: 'Delete study of Bergström, Chidi' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Delete study' }));

  expect(await screen.findByText('Study deleted successfully')).toBeDefined();
  await waitFor(() => expect(searches()).toHaveLength(2));
});

test('a deletion that is refused says so and keeps saying so', async () => {
  const message = 'This study has a finalized report and cannot be deleted. Archive it instead.';
  await open('/studies', () => pageOf([study()]), { as: 'ADMIN', answers: [refuse(studies.remove, 409, message)] });

  await userEvent.click(await screen.findByRole('button', { name: 'Delete study of Bergström, Chidi' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Delete study' }));

  const alerts = await screen.findAllByRole('alert');
  expect(alerts.some(({ textContent }) => textContent === message)).toBe(true);
});

test('what one may not do is not offered', async () => {
  await open('/studies', () => pageOf([study()]), { as: 'REFERRING_PHYSICIAN' });
  await screen.findByRole('link', { name: 'Bergström, Chidi' });

  expect(screen.queryByRole('button', { name: /Delete study/ })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Create New Study' })).toBeNull();
});

test('an empty archive offers to upload', async () => {
  await open('/studies', () => pageOf([]));

  expect(await screen.findByText('No studies yet')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Upload images' }).getAttribute('href')).toBe('/studies/create');
  expect(screen.getByRole('link', { name: 'Create New Study' })).toBeDefined();
});

test('filters that find nothing can be cleared', async () => {
  const { address } = await open('/studies?query=zzz&size=25', () => pageOf([]));

  await userEvent.click(await screen.findByRole('button', { name: 'Clear filters' }));

  await waitFor(() => expect(address()).toBe('/studies?size=25'));
  expect(screen.getByPlaceholderText('Search studies...')).toHaveProperty('value', '');
});

test('a list that cannot be fetched says why, with its trace, and can be asked for again', async () => {
  signIn();
  visit('/studies', refuse(studies.search, 500, 'Server error occurred'), counts);

  const alert = within(await screen.findByRole('alert'));

  expect(alert.getByText('Error fetching studies')).toBeDefined();
  expect(alert.getByText('Server error occurred')).toBeDefined();
  expect(alert.getByText('trace-1')).toBeDefined();
  expect(alert.getByRole('button', { name: 'Retry' })).toBeDefined();
});

test('a search that fails says that the search failed', async () => {
  signIn();
  visit('/studies?query=haddad', refuse(studies.search, 500, 'Server error occurred'), counts);

  expect(await screen.findByText('Error searching studies')).toBeDefined();
});

test('the keyboard walks the rows, opens their series and the study', async () => {
  const { address } = await open('/studies', () => pageOf([named('One'), named('Two')]), {
    answers: [answer(studies.series, () => [series])],
  });
  await screen.findByRole('link', { name: 'Two, X' });

  await userEvent.keyboard('jj');
  expect(document.activeElement).toBe(screen.getByRole('row', { name: /Two, X/, current: true }));
  await userEvent.keyboard('k');
  expect(document.activeElement).toBe(screen.getByRole('row', { name: /One, X/, current: true }));
  await userEvent.keyboard('e');
  expect(await screen.findByRole('table', { name: 'Series' })).toBeDefined();
  await userEvent.keyboard('/');
  expect(document.activeElement).toBe(screen.getByPlaceholderText('Search studies...'));
  await userEvent.keyboard('j');
  expect(screen.getByPlaceholderText('Search studies...')).toHaveProperty('value', 'j');
  expect(address()).toBe('/studies');
});

test('a link to one study shows it alone with its series open', async () => {
  const { series: _, ...details } = detailsOf(study());
  const { address } = await open('/studies?studyId=7', () => pageOf([named('Other')]), {
    answers: [answer(studies.series, () => [series]), answer(studies.get, () => ({ ...details, series: [] }))],
  });

  expect(await screen.findByRole('link', { name: 'Bergström, Chidi' })).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Show all studies' }));

  expect(await screen.findByRole('link', { name: 'Other, X' })).toBeDefined();
  expect(address()).toBe('/studies');
});

const detailsOf = (row: StudyRow): StudyDetails => ({
  ...row,
  revision: 1,
  clinicalHistory: '',
  series: [],
  equipment: { name: '', manufacturer: '', model: '', room: { name: '' } },
  radiation: { totalDLP: null, ctdiVol: null, effectiveDose: null },
  order: {
    orderNumber: '',
    orderingPhysician: { username: '' },
    procedureCode: '',
    procedureDescription: '',
    scheduledDateTime: null,
    performingTechnologist: { username: '' },
  },
});

test('dense rows are remembered', async () => {
  await open('/studies', () => pageOf([study()]));

  await userEvent.click(await screen.findByRole('button', { name: 'Compact rows', pressed: false }));

  expect(screen.getByRole('button', { name: 'Compact rows', pressed: true })).toBeDefined();
  expect(localStorage.getItem('preference.studies.density')).toBe('compact');
});

test('worklists say how many studies wait and show them', async () => {
  const { address } = await open('/studies?query=x', () => pageOf([study()]));

  await userEvent.click(await screen.findByRole('button', { name: 'Pending 47' }));

  await waitFor(() => expect(address()).toBe('/studies?query=x&status=PENDING'));
});

test('rows that could not be renewed stay, and say how old they are', async () => {
  let isAway = false;
  await open('/studies', () => {
    if (isAway) throw new TypeError('Failed to fetch');
    return pageOf([study()]);
  });
  await screen.findByRole('link', { name: 'Bergström, Chidi' });

  isAway = true;
  await userEvent.click(screen.getByRole('button', { name: 'Search' }));

  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toMatch(/^Error fetching studies\. These are the studies as of \d\d:\d\d:\d\d\.Retry$/);
  expect(screen.getByRole('link', { name: 'Bergström, Chidi' })).toBeDefined();
});
