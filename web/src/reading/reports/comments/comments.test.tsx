import { anchorOf } from '@radwork/contract/reading/report-anchors';
import { type CommentsOfReport, type ReportComment, reportComments } from '@radwork/contract/reading/report-comments';
import type { Report } from '@radwork/contract/reading/reports';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, refuse, type SentRequest, serve, show } from '#test/screen.tsx';
import { reportFor } from '#test/written-report.ts';
import { ReportEditor } from '#reading/editor/report-editor.tsx';
import { ReportReading } from '#reading/reports/panel/report-reading.tsx';
import { WritingComments } from './writing-comments.tsx';

const text = 'The left kidney is normal. No stone.';
const content = `<p>${text}</p>`;
const rex = { id: 'u2', username: 'r.reviewer', name: 'Rex Reviewer' };

const commentFor = (words: string, more: Partial<ReportComment> = {}): ReportComment => {
  const from = text.indexOf(words);
  const anchor = from === -1 ? undefined : anchorOf(text, { from, to: from + words.length });
  return {
    id: 'c1',
    author: rex,
    version: 2,
    anchor: anchor ?? { exact: words, prefix: '', suffix: '', start: 0, end: 1 },
    text: 'Side?',
    replacement: null,
    state: 'OPEN',
    settledBy: null,
    settledAt: null,
    createdAt: '2026-11-21T10:00:00Z',
    replies: [],
    canDelete: false,
    ...more,
  };
};

const suggestion = (more: Partial<ReportComment> = {}) =>
  commentFor('left', { replacement: 'right', text: '', ...more });

/** Server that stores the changes of comments. */
const keeping = (comments: ReportComment[], more: Partial<CommentsOfReport> = {}) => {
  let stored = comments;
  const all = () => ({
    reportId: 'r1',
    studyId: 's1',
    comments: stored,
    canComment: true,
    canSuggest: false,
    canDecide: false,
    ...more,
  });
  const idIn = ({ url }: SentRequest) => url.pathname.split('/')[5];
  const change = (sent: SentRequest, part: (comment: ReportComment) => Partial<ReportComment>) => {
    stored = stored.map((comment) => (comment.id === idIn(sent) ? { ...comment, ...part(comment) } : comment));
    return all();
  };
  return [
    answer(reportComments.list, all),
    answer(reportComments.create, ({ body }) => {
      stored = [
        ...stored,
        { ...commentFor('left'), ...(body as object), id: `c${stored.length + 1}`, canDelete: true },
      ];
      return all();
    }),
    answer(reportComments.reply, (sent) =>
      change(sent, ({ replies }) => {
        const words = (sent.body as { text: string }).text;
        return { replies: [...replies, { id: 'x', author: rex, text: words, createdAt: '2026-11-21T10:00:00Z' }] };
      }),
    ),
    answer(reportComments.settle, (sent) =>
      change(sent, () => ({ state: (sent.body as { state: ReportComment['state'] }).state, settledBy: rex })),
    ),
    answer(reportComments.remove, (sent) => {
      stored = stored.filter(({ id }) => id !== idIn(sent));
      return all();
    }),
  ];
};

const inReview = (more: Partial<Report> = {}) =>
  reportFor({ status: 'PENDING_REVIEW', content, commentCount: 1, revision: 2, ...more });
const reviewing = (more: Partial<Report> = {}) =>
  inReview({ rights: { ...reportFor().rights, canEdit: false, canSubmitReview: true }, ...more });

const read = (report: Report) => show(<ReportReading report={report} beingRead={null} slots={{}} />);
const write = (report = reportFor({ status: 'REVISION_REQUIRED', content, commentCount: 1, revision: 3 })) =>
  show(
    <ReportEditor
      start={report.content}
      onChange={() => {}}
      aside={(editor) => <WritingComments editor={editor} report={report} />}
    />,
  );

const sent = (calls: SentRequest[]) =>
  calls.filter(({ method }) => method !== 'GET').map(({ method, url, body }) => [method, url.pathname, body]);
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
/** Presses Undo in a message. The toolbar of the editor has a button of this name too. */
const undoIn = async (message: string) =>
  userEvent.click(within(await screen.findByText(message)).getByRole('button', { name: 'Undo' }));
const textbox = () => screen.getByRole<HTMLElement>('textbox', { name: 'Report text' });

const select = (words: string) => {
  const node = screen.getByText((_, element) => element?.tagName === 'P' && element.textContent === text).firstChild;
  if (!node) throw new Error('no words');
  act(() => {
    window.getSelection()?.setBaseAndExtent(node, text.indexOf(words), node, text.indexOf(words) + words.length);
    fireEvent(document, new Event('selectionchange'));
  });
};

test('a report without comments requests none', async () => {
  const calls = serve();
  read(inReview({ commentCount: 0 }));

  expect(await screen.findByText(text)).toBeDefined();
  expect(calls.filter(({ url }) => url.pathname.endsWith('/comments'))).toEqual([]);
  expect(screen.queryByRole('heading', { name: /open comment/ })).toBeNull();
});

test('a reviewer selects words and comments on them', async () => {
  const calls = serve(...keeping([]));
  read(reviewing({ commentCount: 0 }));
  await screen.findByText(text);

  select('left kidney');
  const tools = screen.getByRole('group', { name: 'Selected text' });
  await userEvent.click(within(tools).getByRole('button', { name: 'Comment' }));
  const dialog = await screen.findByRole('dialog', { name: 'Comment' });
  expect(within(dialog).getByText('left kidney')).toBeDefined();
  await press('Add comment');
  expect(await screen.findByText('Comment is required')).toBeDefined();
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Comment' }), 'Side?');
  await press('Add comment');

  await waitFor(() => expect(sent(calls)).toHaveLength(1));
  const anchor = { exact: 'left kidney', prefix: 'The ', suffix: ' is normal. No stone.', start: 4, end: 15 };
  expect(sent(calls)).toEqual([
    ['POST', '/api/reports/r1/comments', { anchor, text: 'Side?', replacement: null, revision: 2 }],
  ]);
  expect(await screen.findByRole('heading', { name: '1 open comment' })).toBeDefined();
});

test('a reviewer suggests a change by keyboard alone, on a line of the report', async () => {
  const calls = serve(...keeping([], { canSuggest: true }));
  read(reviewing({ commentCount: 0 }));

  await press('Suggest change');
  const dialog = await screen.findByRole('dialog', { name: 'Suggest change' });
  await userEvent.click(within(dialog).getByRole('combobox', { name: 'Line of the report' }));
  await userEvent.keyboard('{ArrowDown}{Enter}');
  const field = within(dialog).getByRole('textbox', { name: 'Suggested text' });
  expect(field).toHaveProperty('value', text);
  await userEvent.clear(field);
  await userEvent.type(field, text.replace('left', 'right'));
  expect(within(within(dialog).getByRole('status')).getByText('right')).toBeDefined();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Suggest change' }));

  await waitFor(() => expect(sent(calls)).toHaveLength(1));
  expect(sent(calls)[0]?.[2]).toMatchObject({ anchor: { exact: text }, replacement: text.replace('left', 'right') });
});

test('a reviewer suggests a change of several lines by keyboard alone', async () => {
  const calls = serve(...keeping([], { canSuggest: true }));
  read(reviewing({ commentCount: 0, content: `${content}<p>The spleen is small.</p>` }));

  await press('Suggest change');
  const dialog = within(await screen.findByRole('dialog', { name: 'Suggest change' }));
  for (const name of ['Line of the report', 'Last line, if several']) {
    await userEvent.click(dialog.getByRole('combobox', { name }));
    await userEvent.keyboard('{ArrowDown}{Enter}');
  }
  const field = dialog.getByRole('textbox', { name: 'Suggested text' });
  expect(field).toHaveProperty('value', `${text}\nThe spleen is small.`);
  await userEvent.clear(field);
  await userEvent.type(field, `${text}{Enter}No cyst.{Enter}The spleen is small.`);
  await userEvent.click(dialog.getByRole('button', { name: 'Suggest change' }));

  await waitFor(() => expect(sent(calls)).toHaveLength(1));
  expect(sent(calls)[0]?.[2]).toMatchObject({ replacement: `${text}\nNo cyst.\nThe spleen is small.` });
});

test('a suggestion that changes nothing is not sent', async () => {
  const calls = serve(...keeping([], { canSuggest: true }));
  read(reviewing({ commentCount: 0 }));
  await screen.findByText(text);

  select('left');
  const tools = screen.getByRole('group', { name: 'Selected text' });
  await userEvent.click(within(tools).getByRole('button', { name: 'Suggest change' }));
  const dialog = await screen.findByRole('dialog', { name: 'Suggest change' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Suggest change' }));

  expect(await screen.findByText('Change the text to suggest a change')).toBeDefined();
  expect(sent(calls)).toEqual([]);
});

test('a comment is marked in the text, and each leads to the other', async () => {
  serve(...keeping([commentFor('left')]));
  read(inReview());

  const inList = await screen.findByRole('button', { name: 'Go to comment 1 by Rex Reviewer in the text' });
  const inText = screen.getByRole('button', { name: 'Comment 1 by Rex Reviewer' });
  const mark = document.querySelector('[data-comment]');
  await userEvent.click(inText);

  expect(mark?.textContent).toBe('left');
  expect(document.activeElement).toBe(inList);
  expect(inList.closest('li')?.dataset['active']).toBe('true');
});

test('a comment whose words are gone shows its words and says so', async () => {
  serve(...keeping([commentFor('spleen'), commentFor('left', { id: 'c2' })]));
  read(inReview());

  expect(await screen.findByText('These words are no longer in the text.')).toBeDefined();
  expect(screen.getByText('spleen').tagName).toBe('BLOCKQUOTE');
  // A comment with a place comes first.
  expect(screen.getAllByRole('listitem').map((item) => within(item).getByText(/left|spleen/).textContent)).toEqual([
    'left',
    'spleen',
  ]);
});

test('arrow keys move between comments', async () => {
  serve(...keeping([commentFor('left'), commentFor('stone', { id: 'c2' })]));
  read(inReview());
  (await screen.findByRole('button', { name: /Go to comment 1/ })).focus();

  await userEvent.keyboard('{ArrowDown}');
  expect(document.activeElement?.textContent).toBe('2');
  await userEvent.keyboard('{ArrowUp}');
  expect(document.activeElement?.textContent).toBe('1');
});

test('a user replies to, resolves and reopens a comment', async () => {
  const calls = serve(...keeping([commentFor('left')]));
  read(inReview());

  await press('Reply');
  await press('Send reply');
  expect(await screen.findByText('Reply is required')).toBeDefined();
  await userEvent.type(screen.getByRole('textbox', { name: 'Reply' }), 'It is left.{Control>}{Enter}{/Control}');
  expect(await screen.findByText('It is left.')).toBeDefined();
  await press('Resolve');
  await press('1 settled comment');
  await press('Reopen');

  expect(await screen.findByRole('heading', { name: '1 open comment' })).toBeDefined();
  expect(sent(calls)).toEqual([
    ['POST', '/api/reports/r1/comments/c1/replies', { text: 'It is left.' }],
    ['PUT', '/api/reports/r1/comments/c1/state', { state: 'RESOLVED' }],
    ['PUT', '/api/reports/r1/comments/c1/state', { state: 'OPEN' }],
  ]);
});

test('deleting an own comment asks first', async () => {
  const calls = serve(...keeping([commentFor('left', { canDelete: true })]));
  read(inReview());

  await press('Delete');
  expect(sent(calls)).toEqual([]);
  await press('Delete comment');

  await waitFor(() => expect(sent(calls)).toEqual([['DELETE', '/api/reports/r1/comments/c1', undefined]]));
  await waitFor(() => expect(document.querySelector('[data-comment]')).toBeNull());
});

test('a user without rights reads comments and changes none', async () => {
  serve(...keeping([commentFor('left')], { canComment: false }));
  read(inReview());

  expect(await screen.findByText('Side?')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Resolve' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Reply' })).toBeNull();
});

test('comments that fail to load show a message and a retry', async () => {
  serve(refuse(reportComments.list, 503, 'The database cannot be reached.'));
  read(inReview());

  expect(await screen.findByText('Error loading comments')).toBeDefined();
  serve(...keeping([commentFor('left')]));
  await press('Retry');

  expect(await screen.findByText('Side?')).toBeDefined();
});

test('a signed report marks no passage in its text', async () => {
  serve(...keeping([commentFor('left')], { canComment: false }));
  read(inReview({ status: 'FINALIZED' }));

  expect(await screen.findByText('Side?')).toBeDefined();
  expect(document.querySelector('[data-comment]')).toBeNull();
});

test('a reviewer suggests a change across two paragraphs, with a new line for a new paragraph', async () => {
  const calls = serve(...keeping([], { canSuggest: true }));
  read(reviewing({ commentCount: 0, content: `${content}<p>The spleen is small.</p>` }));
  const start = (await screen.findByText(text)).firstChild;
  const end = screen.getByText('The spleen is small.').firstChild;
  if (!start || !end) throw new Error('no words');

  act(() => {
    window.getSelection()?.setBaseAndExtent(start, text.indexOf('No stone'), end, 'The spleen'.length);
    fireEvent(document, new Event('selectionchange'));
  });
  await userEvent.click(
    within(screen.getByRole('group', { name: 'Selected text' })).getByRole('button', { name: 'Suggest change' }),
  );
  const dialog = within(await screen.findByRole('dialog', { name: 'Suggest change' }));
  const words = dialog.getByRole('textbox', { name: 'Suggested text' });
  expect(words).toHaveProperty('value', 'No stone.\nThe spleen');
  fireEvent.change(words, { target: { value: 'No stone.\nNo cyst.\nThe spleen' } });
  expect(dialog.getByRole('status').textContent).toBe('No stone.added: ¶\nNo cyst.\nThe spleen');
  await userEvent.click(dialog.getByRole('button', { name: 'Suggest change' }));

  await waitFor(() => expect(sent(calls)).toHaveLength(1));
  expect(sent(calls)[0]?.[2]).toMatchObject({
    anchor: { exact: 'No stone.\nThe spleen' },
    replacement: 'No stone.\nNo cyst.\nThe spleen',
  });
});

test('the author accepts a suggestion with one press, and undo takes it back', async () => {
  const calls = serve(...keeping([suggestion()], { canDecide: true }));
  write();

  await press('Accept suggestion 1');
  await waitFor(() => expect(sent(calls)).toHaveLength(1));
  expect(textbox().textContent).toBe(text.replace('left', 'right'));
  await undoIn('Suggestion accepted');

  await waitFor(() => expect(sent(calls)).toHaveLength(2));
  expect(sent(calls).map(([, , body]) => body)).toEqual([{ state: 'ACCEPTED' }, { state: 'OPEN' }]);
  expect(await screen.findByRole('heading', { name: '0 open comments, 1 suggestion' })).toBeDefined();
});

test('the author rejects a suggestion from the list, and undo opens it again', async () => {
  const calls = serve(...keeping([suggestion()], { canDecide: true }));
  write();

  await press('Reject');
  await undoIn('Suggestion rejected');

  await waitFor(() =>
    expect(sent(calls).map(([, , body]) => body)).toEqual([{ state: 'REJECTED' }, { state: 'OPEN' }]),
  );
});

test('a suggestion whose words have changed cannot be accepted, only marked', async () => {
  const calls = serve(...keeping([suggestion({ anchor: commentFor('spleen').anchor })], { canDecide: true }));
  write();

  expect(
    await screen.findByText('The words have changed since this suggestion. Compare it with the text.'),
  ).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Accept' })).toBeNull();
  await press('Mark as accepted');

  await waitFor(() => expect(sent(calls).map(([, , body]) => body)).toEqual([{ state: 'ACCEPTED' }]));
  expect(textbox().textContent).toBe(text);
});

test('a reviewer sees suggestions in the text and cannot accept them', async () => {
  serve(...keeping([suggestion()]));
  read(reviewing());

  const [added] = await screen.findAllByText('right');
  expect(added?.tagName).toBe('INS');
  expect(screen.queryByRole('button', { name: /Accept/ })).toBeNull();
});
