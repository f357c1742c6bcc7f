import { reportAddenda } from '@radwork/contract/reading/report-addenda';
import type { Report } from '@radwork/contract/reading/reports';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { saveSession, readSession } from '#core/state/session.ts';
import { answer, type SentRequest, serve, show } from '#test/screen.tsx';
import { editorIn, reportFor, write } from '#test/written-report.ts';
import { ReportReading } from '#reading/reports/panel/report-reading.tsx';

const report = reportFor({
  status: 'FINALIZED',
  signatureRequired: false,
  finalizedAt: '2026-11-21T12:00:00Z',
  finalizedBy: { id: 'u1', username: 'm.haddad', name: 'Mona Haddad', credentials: '' },
  contentHash: 'ab12',
  isUnchanged: true,
});

const storedWith = ({ body }: SentRequest, revision: number): Report => ({
  ...report,
  addendumDraft: {
    id: 'd1',
    revision,
    updatedAt: '',
    kind: 'ADDENDUM',
    passage: '',
    corrects: null,
    content: (body as { content: string }).content,
  },
});

const openAddendum = async () => {
  const reading = () => <ReportReading report={report} beingRead={null} slots={{}} onStart={undefined} />;
  const routeTree = createRootRoute({ staticData: { can: 'public' }, component: reading });
  const opened = show(<RouterProvider router={createRouter({ routeTree, history: createMemoryHistory() }) as never} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Add addendum' }));
  return { ...opened, editor: await editorIn() };
};

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test('signing an addendum signs the whole text on the screen', async () => {
  let release = () => {};
  const calls = serve(
    answer(reportAddenda.begin, async (sent) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return storedWith(sent, 1);
    }),
    answer(reportAddenda.save, (sent) => storedWith(sent, 2)),
    answer(reportAddenda.sign, () => report),
  );
  const { editor } = await openAddendum();
  write(editor, '<p>Compared with 2024.</p>');
  await press('Sign');
  await waitFor(() => expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1));
  expect(editor.isEditable).toBe(false);

  act(() => write(editor, '<p>Compared with 2024 and 2025.</p>'));
  release();
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain('Compared with 2024 and 2025.');
  await userEvent.click(screen.getByRole('checkbox'));
  await press('Sign addendum');

  await waitFor(() =>
    expect(calls.find(({ url }) => url.pathname.endsWith('/finalize'))?.body).toMatchObject({
      content: '<p>Compared with 2024 and 2025.</p>',
      revision: 2,
    }),
  );
});

test('a user who signs in meanwhile neither sends nor stores the addendum of another author', async () => {
  const calls = serve(answer(reportAddenda.begin, (sent) => storedWith(sent, 1)));
  const { editor, unmount } = await openAddendum();
  const session = readSession();
  if (session) saveSession({ ...session, token: 'other', user: { ...session.user, id: 'u9', username: 'other' } });

  write(editor, '<p>Hers.</p>');
  await press('Save addendum');
  unmount();

  expect(calls.filter(({ method }) => method === 'POST')).toEqual([]);
  expect(Object.keys(localStorage).filter((key) => key.startsWith('unsaved.'))).toEqual([
    expect.stringMatching(/^unsaved\.north\.u1\.addendum\.r1\./),
  ]);
});
