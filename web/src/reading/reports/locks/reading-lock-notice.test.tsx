import { beingRead } from '@radwork/contract/imaging/study-marks';
import type { ReadingOfReport } from '@radwork/contract/reading/reading-locks';
import { lockErrors, readingLocks } from '@radwork/contract/reading/reading-locks';
import { type Report, reports } from '@radwork/contract/reading/reports';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { answer, bodiesOf, refuse, serve, show } from '#test/screen.tsx';
import { editorIn, jane, reportFor, write } from '#test/written-report.ts';
import { ReportPanel } from '#reading/reports/panel/report-panel.tsx';

const showPanel = () => {
  const routeTree = createRootRoute({ staticData: { can: 'public' }, component: () => <ReportPanel studyId="s1" /> });
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  return show(<RouterProvider router={router as never} />);
};

/** A time today, because the screen then shows no date. */
const since = new Date(new Date().setHours(9, 12, 0, 0)).toISOString();

const readingByOther = (overrides: Partial<ReadingOfReport> = {}): ReadingOfReport => ({
  username: 'r.reviewer',
  name: 'Rex Reviewer',
  since,
  isMe: false,
  expiresAt: new Date(Date.now() + 120_000).toISOString(),
  reason: '',
  isTakenFromMe: false,
  canTakeOver: true,
  ...overrides,
});

const readByRex = 'Being read by Rex Reviewer since 09:12';
const refused = { edit: readByRex, requestReview: readByRex, finalize: readByRex };

/** Server on which `readingBy` holds the reading lock. */
const writtenBy = (first: ReadingOfReport | null, report: Report | null = reportFor()) => {
  const server = { readingBy: first };
  const isFree = () => server.readingBy === null || server.readingBy.isMe;
  const read = answer(reports.ofStudy, () => ({
    report: report && (isFree() ? report : { ...report, rights: reportFor({}, refused).rights }),
    patient: jane,
    canCreate: report === null && isFree(),
    reasons: isFree() ? [] : [readByRex],
    readingBy: server.readingBy,
  }));
  const take = answer(readingLocks.take, () => {
    server.readingBy = readingByOther({ username: 'm.haddad', isMe: true });
    return server.readingBy;
  });
  return { server, answers: [read, take] };
};

test('the editor takes the reading lock when it opens and releases it when it closes', async () => {
  const calls = serve(...writtenBy(null).answers);
  const { unmount } = showPanel();
  await editorIn();
  await waitFor(() => expect(bodiesOf(calls, readingLocks.take)).toEqual([{ isAnother: false }]));

  unmount();

  await waitFor(() => expect(calls.at(-1)?.method).toBe('DELETE'));
});

test("the report is read-only while a colleague writes, and shows the colleague's name and the time", async () => {
  const calls = serve(...writtenBy(readingByOther()).answers);

  showPanel();

  expect(await screen.findByText(readByRex)).toBeDefined();
  expect(screen.getByText('Stored.')).toBeDefined();
  expect(screen.queryByRole('textbox', { name: 'Report text' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Finalize' }).getAttribute('aria-description')).toBe(readByRex);
  expect(bodiesOf(calls, readingLocks.take)).toEqual([]);
});

test("the report is fetched again when the colleague's lock may have expired, and then the editor opens", async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { server, answers } = writtenBy(readingByOther());
  serve(...answers);
  showPanel();
  expect(await screen.findByText(readByRex)).toBeDefined();

  server.readingBy = null;
  act(() => void vi.advanceTimersByTime(121_000));

  expect((await editorIn()).getText()).toBe('Stored.');
  expect(screen.queryByText(readByRex)).toBeNull();
});

test('a user who may not edit the report gets no button to take it over', async () => {
  serve(...writtenBy(readingByOther({ canTakeOver: false })).answers);

  showPanel();

  expect(await screen.findByText(readByRex)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Take over' })).toBeNull();
});

const takeOverFor = async (reason: string) => {
  await userEvent.click(await screen.findByRole('button', { name: 'Take over' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Take over report' }));
  if (reason) await userEvent.type(dialog.getByRole('textbox', { name: 'Reason' }), reason);
  await userEvent.click(dialog.getByRole('button', { name: 'Take over' }));
};

test('taking over a report requires a reason and opens the editor', async () => {
  const calls = serve(...writtenBy(readingByOther()).answers);
  showPanel();

  await takeOverFor('The ward waits');

  expect((await editorIn()).getText()).toBe('Stored.');
  expect(bodiesOf(calls, readingLocks.take)[0]).toEqual({
    takeOverFrom: 'r.reviewer',
    reason: 'The ward waits',
    isAnother: false,
  });
  expect(screen.queryByText(readByRex)).toBeNull();
});

test('a report that was never saved can be taken over, and the editor opens', async () => {
  serve(...writtenBy(readingByOther(), null).answers);
  showPanel();
  expect(await screen.findByText('No report has been created for this study yet.')).toBeDefined();

  await takeOverFor('The ward waits');

  expect((await editorIn()).getText()).toBe('');
});

test('the dialog refuses to take over a report without a reason', async () => {
  const calls = serve(...writtenBy(readingByOther()).answers);
  showPanel();

  await takeOverFor('');

  expect(await screen.findByText('Reason is required')).toBeDefined();
  expect(bodiesOf(calls, readingLocks.take)).toEqual([]);
});

test('the dialog names the present holder when a third user took over the report first', async () => {
  const { answers } = writtenBy(readingByOther());
  const reason = beingRead({ name: 'Ines Third', since: '09:13' });
  serve(refuse(readingLocks.take, 409, reason), ...answers);
  showPanel();

  await takeOverFor('The ward waits');

  expect(await within(screen.getByRole('dialog')).findByText(reason)).toBeDefined();
});

/** Opens the editor and writes. The next renewal of the lock fails, because a colleague has it. */
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
  server.readingBy = readingByOther({ reason: 'The ward waits', isTakenFromMe: true });
  await vi.advanceTimersByTimeAsync(31_000);
  vi.useRealTimers();
  return { ...view, server, calls };
};

test('a user who loses the lock sees who took the lock and why, and can copy the unsaved text', async () => {
  await loseLockWith('<p>Half a sentence</p>');

  expect(await screen.findByText('Rex Reviewer took over this report from you at 09:12: The ward waits')).toBeDefined();
  expect(screen.queryByRole('textbox', { name: 'Report text' })).toBeNull();
  expect(screen.getByText('Stored.')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Show my text' }));
  expect(await screen.findByText('Half a sentence')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Copy text' })).toBeDefined();
});

test('a text is not autosaved after a colleague has taken over the report', async () => {
  const { calls } = await loseLockWith('<p>Half a sentence</p>');

  await screen.findByRole('button', { name: 'Show my text' });

  expect(calls.filter(({ url }) => url.pathname.endsWith('/kept-text'))).toEqual([]);
});

test('the unsaved text stays visible after losing the lock, even when browser storage is full', async () => {
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

test('the editor restores the unsaved text after the colleague has left', async () => {
  const { server, unmount } = await loseLockWith('<p>Half a sentence</p>');
  await screen.findByText(/^Rex Reviewer took over this report/);

  server.readingBy = null;
  unmount();
  showPanel();

  expect((await editorIn()).getText()).toBe('Half a sentence');
});
