import { reports } from '@radwork/contract/reading/reports';
import { reportDeliveries } from '@radwork/contract/reading/report-delivery';
import { workflow } from '@radwork/contract/reading/workflow';
import { studies } from '@radwork/contract/imaging/studies';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answer, signIn, visit } from '#test/screen.tsx';
import { studyDetails } from '#test/studies.ts';
import { studyPageAnswers } from '#test/study-page.ts';
import { workOf } from '#test/study-work.ts';
import { jane, reportFor } from '#test/written-report.ts';

beforeEach(() => {
  // Gives elements a height, because a virtual list renders no rows without one.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
});
afterEach(() => vi.restoreAllMocks());

const withReport = (report: ReturnType<typeof reportFor> | null) =>
  answer(reports.ofStudy, () => ({ report, patient: jane, canCreate: report === null, reasons: [], readingBy: null }));

const openStudy = async (...answers: Parameters<typeof visit> extends [string, ...infer Rest] ? Rest : never) => {
  const study = studyDetails();
  const page = visit(
    `/studies/${study.id}`,
    ...answers,
    ...studyPageAnswers(study),
    answer(reportDeliveries.list, () => []),
  );
  await screen.findByRole('heading', { level: 1, name: /Phantom, Ada/ });
  return { ...page, study };
};

const palette = async () => {
  await userEvent.keyboard('{Control>}k{/Control}');
  return within(await screen.findByRole('dialog', { name: 'Search and commands' }));
};

const offered = async (name = 'On this page') => {
  const group = (await palette()).queryByRole('group', { name });
  const options = group ? within(group).getAllByRole('option') : [];
  return options.map(({ textContent }) => textContent);
};

const closePalette = async () => {
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
};

test('on a study without a report, the palette offers what the radiologist may do now, with its keys', async () => {
  signIn();
  await openStudy();
  await screen.findByRole('button', { name: 'Create report' });

  const commands = await offered();

  expect(commands).toEqual(expect.arrayContaining(['Create reportQE', 'Open viewerV', 'Update statusQS']));
  expect(commands.join()).not.toMatch(/Finalize|Share|critical/);
});

test('on a signed report, the palette offers sharing and an addendum, and nothing that signs', async () => {
  signIn();
  await openStudy(withReport(reportFor({ status: 'FINALIZED', finalizedAt: '2026-11-21T12:00:00Z' })));
  await screen.findByText('Stored.');

  const commands = await offered();

  expect(commands).toEqual(expect.arrayContaining(['Share reportQH', 'Add addendumQL']));
  expect(commands.join()).not.toMatch(/Finalize|Request review/);
});

test('a command of the palette opens the dialog of its button, and so does its key', async () => {
  signIn();
  await openStudy(withReport(reportFor({ status: 'APPROVED' })));
  await screen.findByText('Stored.');
  const dialog = await palette();
  await userEvent.type(dialog.getByRole('combobox'), 'sign');
  expect(dialog.getByRole('option', { selected: true }).textContent).toContain('Finalize report');
  await userEvent.keyboard('{Enter}');
  const signing = await screen.findByRole('dialog', { name: /Finalize/ });
  await userEvent.click(within(signing).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  fireEvent.keyDown(document.body, { key: 'q' });
  fireEvent.keyDown(document.body, { key: 'f' });

  expect(await screen.findByRole('dialog', { name: /Finalize/ })).toBeDefined();
});

test('an action that is refused is not offered, and its key does nothing', async () => {
  signIn();
  await openStudy(withReport(reportFor({ status: 'APPROVED' }, { finalize: 'Only the author may finalize' })));
  await screen.findByText('Stored.');

  expect((await offered()).join()).not.toContain('Finalize');
  await closePalette();
  fireEvent.keyDown(document.body, { key: 'q' });
  fireEvent.keyDown(document.body, { key: 'f' });

  expect(screen.queryByRole('dialog')).toBeNull();
});

test('assignment is offered only to users who may assign this study', async () => {
  signIn();
  const refusals = workOf({}).refusals;
  await openStudy(answer(workflow.read, () => ({ ...workOf({}), refusals: { ...refusals, assigning: null } })));
  await screen.findByRole('button', { name: 'Assign users' });
  expect(await offered()).toContain('Assign usersQA');
});

test('the command for the prior opens the most relevant prior next to the study', async () => {
  signIn();
  const prior = { ...studyDetails({ id: '0190aaaa-0000-7000-8000-0000000000aa' }), report: null };
  const { router } = await openStudy(answer(studies.priors, () => [prior] as never));
  await screen.findByRole('heading', { name: /Prior studies/ });
  await screen.findByRole('button', { name: /No report/ });

  fireEvent.keyDown(document.body, { key: 'q' });
  fireEvent.keyDown(document.body, { key: 'p' });

  await waitFor(() =>
    expect(router.state.location.search).toMatchObject({ prior: '0190aaaa-0000-7000-8000-0000000000aa' }),
  );
});

test('a pinned command stays at the top of the palette of this user', async () => {
  signIn();
  visit('/notifications');
  await screen.findByRole('heading', { name: 'Notifications' });
  const dialog = await palette();
  await userEvent.type(dialog.getByRole('combobox'), 'Change keys');
  await userEvent.keyboard('{Alt>}p{/Alt}');
  await closePalette();

  expect(await offered('Pinned')).toEqual(['Change keys']);
  await userEvent.click(screen.getByRole('button', { name: /^Unpin “Change keys”/ }));
  await closePalette();
  expect(await offered('Pinned')).toEqual([]);
});

test('a study that the user has opened is offered again on the next page, and not on its own page', async () => {
  signIn();
  const { router, study } = await openStudy();
  expect(await offered('Recent')).toEqual([]);
  await closePalette();

  await router.navigate({ to: '/notifications' });
  await screen.findByRole('heading', { name: 'Notifications' });

  expect((await offered('Recent')).join()).toContain(study.accessionNumber);
});
