import { reports } from '@radwork/contract/reading/reports';
import { studies } from '@radwork/contract/imaging/studies';
import { workflow } from '@radwork/contract/reading/workflow';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createConversation } from '#test/conversation.ts';
import { answer, answerBytes, refuse, signIn, visit } from '#test/screen.tsx';
import { studyDetails } from '#test/studies.ts';
import { historyOf, workOf } from '#test/study-work.ts';
import { jane } from '#test/written-report.ts';

const noPicture = () => new Response(null, { status: 404 });
const pictures = [
  answerBytes('/api/wado-rs/studies/:uid/rendered', noPicture),
  answerBytes('/api/wado-rs/studies/:uid/series/:series/rendered', noPicture),
];

const tags = [
  { id: '00080060', keyword: 'Modality', tagId: '(0008,0060)', valueRepresentation: 'CS', value: 'CT' },
  { id: '00181210', keyword: 'ConvolutionKernel', tagId: '(0018,1210)', valueRepresentation: 'SH', value: 'B30f' },
];

const openStudy = async (study = studyDetails(), look = answer(studies.get, () => study)) => {
  signIn();
  const page = visit(
    `/studies/${study.id}`,
    look,
    answer(studies.tags, () => tags),
    answer(reports.ofStudy, () => ({ report: null, patient: jane, canCreate: true, reasons: [], readingBy: null })),
    ...Object.values(createConversation().answers),
    answer(studies.priors, () => []),
    answer(studies.audit, () => []),
    answer(workflow.read, () => workOf({ status: study.status })),
    answer(workflow.history, () => historyOf([])),
    ...pictures,
  );
  await screen.findByRole('heading', { level: 1, name: /Phantom, Ada/ });
  return { ...page, user: userEvent.setup(), study };
};

beforeEach(() => {
  // Gives elements a height, because a virtual list renders no rows without one.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
});
afterEach(() => vi.restoreAllMocks());

test('the study page shows the patient first, with facts that distinguish patients', async () => {
  await openStudy();

  const patient = screen.getByRole('heading', { level: 1 });
  expect(patient.textContent).toBe('Phantom, AdaMRN0042 · Female · 65y · born 1961-03-02');
});

test('the summary of a study shows status, priority, date, number and size', async () => {
  await openStudy();

  const summary = within(screen.getByLabelText('Summary'));
  expect(summary.getByText('In progress')).toBeDefined();
  expect(summary.getByRole('progressbar', { name: 'Progress: In progress' }).getAttribute('value')).toBe('40');
  expect(summary.getByText('URGENT')).toBeDefined();
  expect(summary.getByText('2026-11-20 14:05')).toBeDefined();
  expect(summary.getByText('A260006')).toBeDefined();
  expect(summary.getByText('2 / 241')).toBeDefined();
});

test('the reason for the study appears next to its images, or a note that no reason was given', async () => {
  const { unmount } = await openStudy();
  const history = () => screen.getByRole('heading', { name: 'Clinical history' }).parentElement?.textContent;
  expect(history()).toContain('Sudden dyspnoea, day 9 after knee replacement.');
  unmount();

  await openStudy(studyDetails({ clinicalHistory: '' }));

  expect(history()).toContain('Not provided.');
});

test('the details of a study have the tabs Technical, Administrative and DICOM', async () => {
  const { user } = await openStudy();
  const details = within(screen.getByRole('complementary', { name: 'Details' }));
  expect(details.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
    'Technical',
    'Administrative',
    'DICOM',
  ]);
  expect(details.getByText('Phantom 64')).toBeDefined();

  await user.click(details.getByRole('tab', { name: 'Administrative' }));

  const facts = details.getByRole('tabpanel', { name: 'Administrative' });
  for (const fact of ['O-7781', 'CTPA', 'CT pulmonary angiography', '2026-11-20 14:00', 'Moreau, Elise', '2.25.1']) {
    expect(within(facts).getAllByText(fact).length).toBeGreaterThan(0);
  }
});

test('all actions on a study are available on its page', async () => {
  const { calls, study } = await openStudy();

  expect(screen.getByRole('link', { name: 'Open viewer' }).getAttribute('href')).toBe(`/viewer/${study.id}`);
  for (const name of ['Edit', 'Open chat', 'Update with comments…', 'Assign users', 'Create report']) {
    expect(await screen.findByRole('button', { name })).toBeDefined();
  }
  const chatted = calls.filter(({ url }) => url.pathname.startsWith('/api/chat'));
  expect(chatted.length).toBeGreaterThan(0);
  expect(chatted.filter(({ url }) => !url.pathname.includes(study.id))).toEqual([]);
});

test('the details show doses with units, and a dash for missing values', async () => {
  await openStudy();

  const details = within(screen.getByRole('complementary', { name: 'Details' }));
  expect(details.getByText('312.46 mGy·cm')).toBeDefined();
  expect(details.getByText('8.2 mGy')).toBeDefined();
  const effective = details.getByText('Effective dose').parentElement;
  expect(effective?.textContent).toContain('unknown');
});

test('a series without images requests no images', async () => {
  const { calls } = await openStudy();

  await screen.findByText('Dose report', { selector: 'a *' });

  const renderedPaths = calls.map(({ url }) => url.pathname).filter((path) => path.endsWith('/rendered'));
  expect(renderedPaths.toSorted()).toEqual([
    '/api/wado-rs/studies/2.25.1/rendered',
    '/api/wado-rs/studies/2.25.1/series/2.25.11/rendered',
  ]);
});

test('a user can search each element of the header', async () => {
  const { user } = await openStudy();

  await user.click(screen.getByRole('tab', { name: 'DICOM' }));
  expect(await screen.findByText('2 elements of the first image')).toBeDefined();
  await user.type(screen.getByLabelText('Search DICOM tags'), 'kernel');

  expect(screen.getByText('1 of 2 elements')).toBeDefined();
  expect(screen.getByText('B30f')).toBeDefined();
});

test('the study page shows the report next to the study', async () => {
  await openStudy();

  const report = within(screen.getByRole('region', { name: 'Report' }));

  expect(await report.findByText('No report has been created for this study yet.')).toBeDefined();
});

test('if the window has room for only one pane, the user chooses which one', async () => {
  const { user } = await openStudy();
  const choices = within(screen.getByRole('group', { name: 'Panes' }));
  expect(choices.getByRole('button', { name: 'Study' }).getAttribute('aria-pressed')).toBe('true');

  await user.click(choices.getByRole('button', { name: 'Report' }));

  expect(choices.getByRole('button', { name: 'Report' }).getAttribute('aria-pressed')).toBe('true');
  expect(choices.getByRole('button', { name: 'Study' }).getAttribute('aria-pressed')).toBe('false');
});

test('the key D hides the details, or shows them if they are only a tab', async () => {
  const { user } = await openStudy();
  const details = within(screen.getByRole('group', { name: 'Panes' })).getByRole('button', { name: 'Details' });

  await user.keyboard('d');
  const beside = details.getAttribute('aria-pressed');
  expect(screen.getByRole('button', { name: 'Show details' })).toBeDefined();
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(34);
  await user.keyboard('d');

  expect([beside, details.getAttribute('aria-pressed')]).toEqual(['false', 'true']);
  expect(screen.getByRole('button', { name: 'Show details' })).toBeDefined();
});

test('the key V opens the viewer', async () => {
  const { user, address, study } = await openStudy(studyDetails({ modalities: ['US'] }));

  await user.keyboard('v');

  await waitFor(() => expect(address()).toBe(`/usviewer/${study.id}`));
});

test('the button for fusion shows why fusion cannot be opened', async () => {
  await openStudy();

  const fusion = screen.getByRole('button', { name: 'Fusion' });

  expect(fusion.getAttribute('aria-disabled')).toBe('true');
  expect(fusion.getAttribute('aria-description')).toBe('Fusion needs a PT or NM series and a CT or MR series');
});

test('a study that fails to load shows the server message, the trace ID and a retry button', async () => {
  signIn();
  visit(
    '/studies/0190aaaa-0000-7000-8000-000000000009',
    refuse(studies.get, 500, 'The database is being restarted'),
    refuse(reports.ofStudy, 500, 'The database is being restarted'),
  );

  const failure = within(await screen.findByRole('alert'));

  expect(failure.getByText('Error loading study details')).toBeDefined();
  expect(failure.getByText('The database is being restarted')).toBeDefined();
  expect(failure.getByText('trace-1')).toBeDefined();
  expect(failure.getByRole('button', { name: 'Retry' })).toBeDefined();
});

test('a missing study and a study of another tenant both show that the study was not found', async () => {
  signIn();
  visit(
    '/studies/0190aaaa-0000-7000-8000-000000000009',
    refuse(studies.get, 404, 'Study not found'),
    refuse(reports.ofStudy, 404, 'Study not found'),
  );

  expect(await screen.findByText('Study not found')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Back to study list' })).toBeDefined();
});

test('a study page reports that its study was deleted or is no longer accessible', async () => {
  const study = studyDetails();
  const [present, gone] = [answer(studies.get, () => study), refuse(studies.get, 404, 'Study not found')];
  let currentAnswer = present;
  const { client } = await openStudy(study, { ...present, reply: (sent) => currentAnswer.reply(sent) });

  currentAnswer = gone;
  await act(() => client.refetchQueries({ queryKey: ['studies', studies.get.path] }));

  const notice = await screen.findByText(/^This record was deleted/);
  expect(notice.textContent).toMatch(
    /^This record was deleted, or you no longer have access\. Showing data as of \d\d:\d\d:\d\d\./,
  );
  // The loaded study stays on the screen, with the message that it was deleted.
  expect(screen.getByRole('heading', { level: 1, name: /Phantom, Ada/ })).toBeDefined();
});

test('the first fetch of a study is audited, and later fetches of the open page are not', async () => {
  const { calls, client, study } = await openStudy();
  const looks = () =>
    calls.filter(({ url }) => url.pathname === `/api/studies/${study.id}`).map(({ headers }) => headers.get('x-poll'));
  expect(looks()).toEqual([null]);

  await act(() => client.invalidateQueries({ queryKey: ['studies'] }));

  expect(looks()).toEqual([null, '1']);
});

test('the chat about the study appears at its side and takes space from the study page', async () => {
  const { user } = await openStudy();

  await user.click(screen.getByRole('button', { name: 'Open chat' }));

  const panel = screen.getByRole('region', { name: 'Chat' });
  expect(within(panel).getByText(/Phantom, Ada/)).toBeDefined();
  expect(panel.contains(screen.getByRole('region', { name: 'Report' }))).toBe(false);
});

test('the study page shows the workflow of the study', async () => {
  await openStudy();

  const work = within(screen.getByRole('region', { name: 'Workflow' }));

  expect(await work.findByText('No active assignments')).toBeDefined();
  expect(await work.findByText('No history available')).toBeDefined();
});
