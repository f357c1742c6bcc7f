import type { UserType } from '@radwork/contract/core/access';
import { pageOf } from '@radwork/contract/core/paging';
import { reportDeliveries } from '@radwork/contract/reading/report-delivery';
import { type ReportRow, reports } from '@radwork/contract/reading/reports';
import { studies } from '@radwork/contract/imaging/studies';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { answer, refuse, signIn, visit } from '#test/screen.tsx';
import { jane, reportFor } from '#test/written-report.ts';
import { formatMoment } from '#ui/formats/formats.ts';

const id = '0190f6f0-0000-7000-8000-000000000001';
const row = (overrides: Partial<ReportRow> = {}): ReportRow => reportFor({ id, ...overrides });

const counts = (total = 3) =>
  answer(reports.views, () => {
    const count = { total, isMore: false };
    return {
      MINE: count,
      TO_REVIEW: count,
      REVISION_REQUIRED: count,
      FINALIZED: { total: 1000, isMore: true },
      ALL: count,
    };
  });

const listOf = (rows: ReportRow[], total = rows.length) =>
  answer(reports.list, ({ url }) => {
    const page = Number(url.searchParams.get('page'));
    return { ...pageOf(rows, total, { page, size: 10 }), isTotalExact: true };
  });

const open = async (address: string, rows = [row()], userType?: UserType) => {
  signIn(userType);
  const view = visit(address, listOf(rows, rows.length), counts());
  await screen.findByRole('heading', { name: 'Reports' });
  const requestedParams = () =>
    view.calls.filter(({ url }) => url.pathname === '/api/reports').map(({ url }) => url.searchParams);
  return { ...view, asked: requestedParams };
};

test('a row shows patient, status, author and critical findings', async () => {
  await open('/reports', [row({ status: 'FINALIZED', amended: true, hasCriticalFindings: true })]);

  const cells = within(await screen.findByRole('row', { name: /Doe, Jane/ }));

  for (const text of [
    'Doe, Jane',
    'P-1 · CT chest',
    '2026-11-20 09:30',
    'A1',
    'CT',
    formatMoment('2026-11-21T10:00:00Z'),
    'Finalized',
    'AMENDED',
    'Mona Haddad',
    'Critical',
  ]) {
    expect(cells.getByText(text)).toBeDefined();
  }
  for (const name of [
    'Open report of Doe, Jane',
    'Print report of Doe, Jane',
    'Share report of Doe, Jane',
    'Send report of Doe, Jane',
  ]) {
    expect(cells.getByLabelText(name)).toBeDefined();
  }
});

test('the list of reports shows the columns of the specification', async () => {
  await open('/reports');

  const heads = await screen.findAllByRole('columnheader');

  const names = heads.map(({ textContent }) => textContent).filter(Boolean);
  expect(names).toEqual(
    expect.arrayContaining([
      'Patient',
      'Study Date',
      'Modality',
      'Accession',
      'Status',
      'Author',
      'Created',
      'Critical',
      'Actions',
    ]),
  );
});

test('tabs of the list show their counts, and a click opens one', async () => {
  const { asked: requestedParams, address } = await open('/reports?page=2&status=DRAFT');

  await userEvent.click(await screen.findByRole('button', { name: 'To review 3' }));

  const tabs = within(screen.getByRole('group', { name: 'Report lists' })).getAllByRole('button');
  expect(tabs.map(({ textContent }) => textContent)).toEqual([
    'Mine 3',
    'To review 3',
    'Revision required 3',
    'Finalised 1,000+',
    'All 3',
  ]);
  await waitFor(() => expect(requestedParams().at(-1)?.get('view')).toBe('TO_REVIEW'));
  expect(address()).toBe('/reports?view=TO_REVIEW');
});

test('the address of the report list contains view, search and filters', async () => {
  const { asked: requestedParams } = await open(
    '/reports?view=FINALIZED&query=doe&modality=MR&critical=true&startDate=2026-11-01&sort=studyDate,asc&size=25&page=1',
  );

  await waitFor(() => expect(requestedParams()).not.toEqual([]));
  expect(Object.fromEntries(requestedParams()[0] ?? [])).toEqual({
    view: 'FINALIZED',
    query: 'doe',
    modality: 'MR',
    critical: 'true',
    startDate: '2026-11-01',
    sort: 'studyDate,asc',
    size: '25',
    page: '1',
  });
  expect(screen.getByRole('searchbox', { name: 'Search reports' })).toHaveProperty('value', 'doe');
});

test('a search starts when the user pauses typing, from the first page', async () => {
  const { asked: requestedParams, address } = await open('/reports?page=3');

  await userEvent.type(screen.getByRole('searchbox', { name: 'Search reports' }), 'miller');

  await waitFor(() => expect(address()).toBe('/reports?query=miller'));
  expect(requestedParams().at(-1)?.get('query')).toBe('miller');
});

test('a click on a column header sorts the list, and a chosen filter applies at once', async () => {
  const { address } = await open('/reports');

  await userEvent.click(within(await screen.findByRole('columnheader', { name: /Patient/ })).getByRole('button'));
  await waitFor(() => expect(address()).toBe('/reports?sort=patientName%2Casc'));
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'PENDING_REVIEW');

  await waitFor(() => expect(address()).toContain('status=PENDING_REVIEW'));
});

test.each([
  ['/reports?view=TO_REVIEW', 'No reports to review'],
  ['/reports?query=nobody', 'No matching reports'],
  ['/reports', 'No reports yet'],
])('an empty list at %s says "%s"', async (address, words) => {
  await open(address, []);

  expect(await screen.findByText(words)).toBeDefined();
});

test('a list that cannot be fetched shows the reason and a retry', async () => {
  signIn();
  visit('/reports', refuse(reports.list, 503, 'The database cannot be reached.'), counts());

  expect(await screen.findByText('The database cannot be reached.')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined();
});

test('a click on a row opens the text of the report in the list', async () => {
  signIn();
  visit(
    '/reports',
    listOf([row()]),
    counts(),
    answer(reports.get, () => reportFor({ id, content: '<p>Clear lungs.</p>' })),
  );

  await userEvent.click(await screen.findByRole('button', { name: /Show text/ }));

  expect(await screen.findByText('Clear lungs.')).toBeDefined();
});

test('the keys J and K move through the rows, and Enter opens the report', async () => {
  signIn();
  const other = '0190f6f0-0000-7000-8000-000000000002';
  const { address } = visit(
    '/reports',
    listOf([row(), row({ id: other, patientName: 'Roe, Ann' })]),
    counts(),
    refuse(reports.get, 404, 'Report not found'),
  );
  await screen.findByRole('row', { name: /Roe, Ann/ });

  await userEvent.keyboard('jjkj{Enter}');

  await waitFor(() => expect(address()).toBe(`/reports?reportId=${other}`));
});

test('a link to a report opens its study with the report visible', async () => {
  signIn();
  const report = reportFor({ id });
  const { address } = visit(
    `/reports?reportId=${id}`,
    answer(reports.get, () => report),
    answer(reports.ofStudy, () => ({ report, patient: jane, canCreate: false, reasons: [], readingBy: null })),
    refuse(studies.get, 503, 'Away'),
  );

  await waitFor(() => expect(address()).toBe('/studies/s1?pane=report'));
});

test('an earlier report of a study opens alone, because the study page shows the newer report', async () => {
  signIn();
  const { address } = visit(
    `/reports?reportId=${id}`,
    answer(reports.get, () => reportFor({ id, content: '<p>The earlier text.</p>' })),
    answer(reports.ofStudy, () => ({
      report: reportFor({ id: 'other' }),
      patient: jane,
      canCreate: false,
      reasons: [],
      readingBy: null,
    })),
  );

  expect(await screen.findByText('The earlier text.')).toBeDefined();
  expect(screen.getByText(/^Earlier report of Doe, Jane \(P-1\)/)).toBeDefined();
  expect(address()).toBe(`/reports?reportId=${id}`);
});

test('a row for a signed report with a newer draft shows its actions and critical findings', async () => {
  signIn();
  const signed = reportFor({
    id,
    status: 'FINALIZED',
    content: '<p>The signed text.</p>',
    hasCriticalFindings: true,
    criticalFindingsDetails: 'Aortic dissection',
  });
  visit(
    `/reports?reportId=${id}`,
    answer(reports.get, () => signed),
    answer(reports.ofStudy, () => ({
      report: reportFor({ id: 'other', content: '<p>Not signed.</p>' }),
      standing: signed,
      patient: jane,
      canCreate: false,
      reasons: [],
      readingBy: null,
    })),
    answer(reportDeliveries.list, () => []),
  );

  expect(await screen.findByText('The signed text.')).toBeDefined();
  expect(screen.getByText(/^Signed report of Doe, Jane \(P-1\)/)).toBeDefined();
  expect(screen.getByText('Aortic dissection')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Add addendum' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Share' })).toBeDefined();
  expect(screen.queryByText('Not signed.')).toBeNull();
});

test('a row shows critical findings above the text, even to its author', async () => {
  signIn();
  visit(
    '/reports',
    listOf([row({ hasCriticalFindings: true })]),
    counts(),
    answer(reports.get, () =>
      reportFor({ id, hasCriticalFindings: true, criticalFindingsDetails: 'Aortic dissection' }),
    ),
  );

  await userEvent.click(await screen.findByRole('button', { name: /^Show text/ }));

  expect(await screen.findAllByText('Aortic dissection')).not.toEqual([]);
});

test('a link to a missing report shows a message', async () => {
  signIn();
  visit(`/reports?reportId=${id}`, refuse(reports.get, 404, 'Report not found'));

  expect(await screen.findByText('The report does not exist, or you do not have access to it.')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Show all reports' })).toBeDefined();
});

test('a referring physician sees one list and no status filter', async () => {
  await open('/reports', [row({ status: 'FINALIZED' })], 'REFERRING_PHYSICIAN');
  await screen.findByRole('row', { name: /Doe, Jane/ });

  const tabs = within(screen.getByRole('group', { name: 'Report lists' })).getAllByRole('button');
  expect(tabs.map(({ textContent }) => textContent)).toEqual(['All 3']);
  expect(screen.queryByRole('combobox', { name: 'Status' })).toBeNull();
  expect(screen.queryByLabelText(/^Share report/)).toBeNull();
});

test('a user can print a report from its row', async () => {
  signIn();
  const print = vi.spyOn(document.body, 'append');
  visit(
    '/reports',
    listOf([row()]),
    counts(),
    answer(reports.get, () => reportFor({ id, content: '<p>On paper.</p>' })),
  );

  await userEvent.click(await screen.findByLabelText('Print report of Doe, Jane'));

  await waitFor(() => {
    const frame = print.mock.calls.flat().find((node) => node instanceof HTMLIFrameElement);
    expect(frame?.srcdoc).toContain('On paper.');
  });
});

test('rows of the list do not move under the pointer when other users write', async () => {
  const rows = [row({ patientName: 'One' }), row({ id: 'r2', patientName: 'Two' })];
  const { client } = await open('/reports', rows);
  const names = () =>
    screen.getAllByRole('rowheader').map(({ textContent }) => /One|Two|New/.exec(textContent ?? '')?.[0]);
  await userEvent.hover(await screen.findByRole('row', { name: /Two/ }));

  rows.unshift(row({ id: 'r3', patientName: 'New' }));
  await act(() => client.invalidateQueries({ queryKey: ['reports'] }));

  expect(await screen.findByText('The list has changed.')).toBeDefined();
  expect(names()).toEqual(['One', 'Two']);
});

test('the list marks a report with an identity question and names the other person', async () => {
  await open('/reports', [row({ identity: { otherName: 'Kowalski, Piotr', contradictions: ['NAME'] } })]);

  const cells = within(await screen.findByRole('row', { name: /Doe, Jane/ }));
  const mark = cells.getByText('Identity to be confirmed').closest('[title]');
  expect(mark?.getAttribute('title')).toBe('Doe, Jane or Kowalski, Piotr');
});
