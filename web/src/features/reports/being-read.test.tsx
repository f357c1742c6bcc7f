import type { ReadingOfReport } from '@radwork/contract/reading-locks';
import { lockErrors, readingLocks } from '@radwork/contract/reading-locks';
import { type Report, reports } from '@radwork/contract/reports';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { answer, refuse, type Sent, serve, show } from '#test/screen.tsx';
import { editorIn, jane, reportFor, write } from '#test/written-report.ts';
import { ReportPanel } from './report-panel.tsx';

const showPanel = () => {
  const routeTree = createRootRoute({ staticData: { can: 'public' }, component: () => <ReportPanel studyId="s1" /> });
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  return show(<RouterProvider router={router as never} />);
};

/** A moment of today, so that it is shown by its time alone. */
const since = new Date(new Date().setHours(9, 12, 0, 0)).toISOString();

const theirs = (given: Partial<ReadingOfReport> = {}): ReadingOfReport => ({
  username: 'r.reviewer',
  name: 'Rex Reviewer',
  since,
  isMe: false,
  expiresAt: new Date(Date.now() + 120_000).toISOString(),
  reason: '',
  isTakenFromMe: false,
  canTakeOver: true,
  ...given,
});

const held = 'Being read by Rex Reviewer since 09:12';
const refused = { edit: held, requestReview: held, finalize: held };

/** A server on which a colleague writes, as long as `readingBy` says so. */
const writtenBy = (first: ReadingOfReport | null, report: Report | null = reportFor()) => {
  const server = { readingBy: first };
  const isFree = () => server.readingBy === null || server.readingBy.isMe;
  const read = answer(reports.ofStudy, () => ({
    report: report && (isFree() ? report : { ...report, rights: reportFor({}, refused).rights }),
    patient: jane,
    canCreate: report === null && isFree(),
    reasons: isFree() ? [] : [held],
    readingBy: server.readingBy,
  }));
  const take = answer(readingLocks.take, () => {
    server.readingBy = theirs({ username: 'm.haddad', isMe: true });
    return server.readingBy;
  });
  return { server, answers: [read, take] };
};

const takes = (calls: Sent[]) =>
  calls.filter(({ method, url }) => method === 'PUT' && url.pathname.endsWith('/reading-lock')).map(({ body }) => body);

test('whoever opens the editor takes the lock, and gives it back when they leave', async () => {
  const calls = serve(...writtenBy(null).answers);
  const { unmount } = showPanel();
  await editorIn();
  await waitFor(() => expect(takes(calls)).toEqual([{ isAnother: false }]));

  unmount();

  await waitFor(() => expect(calls.at(-1)?.method).toBe('DELETE'));
});

test('while a colleague writes, the report is read and says who writes it, since when', async () => {
  const calls = serve(...writtenBy(theirs()).answers);

  showPanel();

  expect(await screen.findByText(held)).toBeDefined();
  expect(screen.getByText('Stored.')).toBeDefined();
  expect(screen.queryByRole('textbox', { name: 'Report text' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Finalize' }).getAttribute('aria-description')).toBe(held);
  expect(takes(calls)).toEqual([]);
});

test('when their lock may have lapsed the report is asked for again, and can be written', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { server, answers } = writtenBy(theirs());
  serve(...answers);
  showPanel();
  expect(await screen.findByText(held)).toBeDefined();

  server.readingBy = null;
  act(() => void vi.advanceTimersByTime(121_000));

  expect((await editorIn()).getText()).toBe('Stored.');
  expect(screen.queryByText(held)).toBeNull();
});

test('who could not write the report anyhow is not offered to take it over', async () => {
  serve(...writtenBy(theirs({ canTakeOver: false })).answers);

  showPanel();

  expect(await screen.findByText(held)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Take over' })).toBeNull();
});

const takeOverFor = async (reason: string) => {
  await userEvent.click(await screen.findByRole('button', { name: 'Take over' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Take over report' }));
  if (reason) await userEvent.type(dialog.getByRole('textbox', { name: 'Reason' }), reason);
  await userEvent.click(dialog.getByRole('button', { name: 'Take over' }));
};

test('a report is taken over for a reason, and then written', async () => {
  const calls = serve(...writtenBy(theirs()).answers);
  showPanel();

  await takeOverFor('The ward waits');

  expect((await editorIn()).getText()).toBe('Stored.');
  expect(takes(calls)[0]).toEqual({ takeOverFrom: 'r.reviewer', reason: 'The ward waits', isAnother: false });
  expect(screen.queryByText(held)).toBeNull();
});

test('a report that nobody has saved yet is taken over as well, and its editor opens', async () => {
  serve(...writtenBy(theirs(), null).answers);
  showPanel();
  expect(await screen.findByText('No report has been created for this study yet.')).toBeDefined();

  await takeOverFor('The ward waits');

  expect((await editorIn()).getText()).toBe('');
});

test('without a reason nothing is taken over', async () => {
  const calls = serve(...writtenBy(theirs()).answers);
  showPanel();

  await takeOverFor('');

  expect(await screen.findByText('Reason is required')).toBeDefined();
  expect(takes(calls)).toEqual([]);
});

test('when a third was faster, the dialog says who has it now', async () => {
  const { answers } = writtenBy(theirs());
  serve(refuse(readingLocks.take, 409, 'Being read by Ines Third since 09:13'), ...answers);
  showPanel();

  await takeOverFor('The ward waits');

  expect(await within(screen.getByRole('dialog')).findByText('Being read by Ines Third since 09:13')).toBeDefined();
});

/** Opens the editor, writes, and loses the lock to a colleague at the next beat. */
const loseLockWith = async (html: string, beforehand = () => {}) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  const { server, answers } = writtenBy(null);
  const beat = {
    ...refuse(readingLocks.beat, 409, ''),
    reply: () =>
      Response.json({ code: 409, error: lockErrors.held, message: 'Taken over', traceId: 't' }, { status: 409 }),
  };
  const calls = serve(beat, ...answers);
  const view = showPanel();
  const editor = await editorIn();
  beforehand();
  write(editor, html);
  server.readingBy = theirs({ reason: 'The ward waits', isTakenFromMe: true });
  await vi.advanceTimersByTimeAsync(31_000);
  vi.useRealTimers();
  return { ...view, server, calls };
};

test('who loses the lock reads only, is told by whom and why, and can copy what they had not saved', async () => {
  await loseLockWith('<p>Half a sentence</p>');

  expect(await screen.findByText('Rex Reviewer took over this report from you at 09:12: The ward waits')).toBeDefined();
  expect(screen.queryByRole('textbox', { name: 'Report text' })).toBeNull();
  expect(screen.getByText('Stored.')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Show my text' }));
  expect(await screen.findByText('Half a sentence')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Copy text' })).toBeDefined();
});

test('a text that the server would refuse, since a colleague writes now, is not sent to be kept', async () => {
  const { calls } = await loseLockWith('<p>Half a sentence</p>');

  await screen.findByRole('button', { name: 'Show my text' });

  expect(calls.filter(({ url }) => url.pathname.endsWith('/kept-text'))).toEqual([]);
});

test('what was not saved is shown to who loses the lock, even where the browser cannot keep it', async () => {
  const fillStorage = () => {
    const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('Full', 'QuotaExceededError');
    });
    onTestFinished(() => full.mockRestore());
  };

  await loseLockWith('<p>Half a sentence</p>', fillStorage);

  await userEvent.click(await screen.findByRole('button', { name: 'Show my text' }));
  expect(await screen.findByText('Half a sentence')).toBeDefined();
});

test('what was not saved is back in the editor when the colleague has left', async () => {
  const { server, unmount } = await loseLockWith('<p>Half a sentence</p>');
  await screen.findByText(/^Rex Reviewer took over this report/);

  server.readingBy = null;
  unmount();
  showPanel();

  expect((await editorIn()).getText()).toBe('Half a sentence');
});
