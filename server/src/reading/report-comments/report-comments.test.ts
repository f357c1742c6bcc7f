import { anchorOf } from '@radwork/contract/reading/report-anchors';
import { notifications } from '@radwork/contract/identity/notifications';
import { type CommentsOfReport, reportComments } from '@radwork/contract/reading/report-comments';
import { reports } from '@radwork/contract/reading/reports';
import { expect, test } from 'vitest';
import { reportSteps } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { begin, finalize, participate, requestReview, review, save, auditedActions } = reportSteps(world);

const text = 'The left kidney is normal. No stone.';
const html = `<p>${text}</p>`;

/** Anchor of some words of the report. */
const anchorOn = (words: string, within = text) => {
  const from = within.indexOf(words);
  const anchor = anchorOf(within, { from, to: from + words.length });
  if (!anchor) throw new Error('no words');
  return anchor;
};

/** A report that waits for its reviewer. */
const waiting = async () => {
  const author = await world.signIn();
  const reviewer = await world.signIn('RADIOLOGIST', author.tenant);
  const { study, id } = await begin(author, html);
  await requestReview(author, id, reviewer);
  return { author, reviewer, study, id };
};

const comment = (person: Person, id: string, body: object = {}) =>
  person.send(reportComments.create, {
    params: { id },
    body: { anchor: anchorOn('left'), text: 'Side?', revision: 2, ...body },
  });

const suggest = (person: Person, id: string, body: object = {}) =>
  comment(person, id, { text: '', replacement: 'right', ...body });

const listed = (person: Person, id: string) => person.send(reportComments.list, { params: { id } });
const idIn = ({ data }: { data: CommentsOfReport }): string => data.comments[0]?.id ?? '';
const settle = (person: Person, id: string, commentId: string, state: 'OPEN' | 'RESOLVED' | 'ACCEPTED' | 'REJECTED') =>
  person.send(reportComments.settle, { params: { id, commentId }, body: { state } });
const reply = (person: Person, id: string, commentId: string, words = 'It is left.') =>
  person.send(reportComments.reply, { params: { id, commentId }, body: { text: words } });
const remove = (person: Person, id: string, commentId: string) =>
  person.send(reportComments.remove, { params: { id, commentId } });
const sendBack = (person: Person, id: string) => review(person, id, { approved: false, comments: 'See the text' });

const titlesTo = async (person: Person): Promise<string[]> => {
  const { data } = await person.send(notifications.list);
  return data.content.map(({ title }) => title);
};

test('a reviewer comments on words of the report, the author replies, and either resolves and reopens it', async () => {
  const { author, reviewer, id } = await waiting();

  const commented = await comment(reviewer, id);
  const commentId = idIn(commented);
  await reply(author, id, commentId);
  const resolved = await settle(author, id, commentId, 'RESOLVED');
  const reopened = await settle(reviewer, id, commentId, 'OPEN');

  expect(commented).toMatchObject({
    status: 200,
    data: {
      reportId: id,
      canComment: true,
      canSuggest: true,
      canDecide: false,
      comments: [
        {
          author: { id: reviewer.userId },
          version: 2,
          anchor: { exact: 'left', prefix: 'The ', suffix: ' kidney is normal. No stone.', start: 4, end: 8 },
          text: 'Side?',
          replacement: null,
          state: 'OPEN',
          settledBy: null,
          replies: [],
          canDelete: true,
        },
      ],
    },
  });
  expect(resolved.data.comments[0]).toMatchObject({
    state: 'RESOLVED',
    settledBy: { id: author.userId },
    replies: [{ author: { id: author.userId }, text: 'It is left.' }],
    canDelete: false,
  });
  expect(reopened.data.comments[0]).toMatchObject({ state: 'OPEN', settledBy: null, settledAt: null });
  expect(await auditedActions(author)).toEqual(
    expect.arrayContaining(['report.comment', 'report.replyToComment', 'report.settleComment']),
  );
});

test('comments are no part of the report, its versions or its list', async () => {
  const { author, reviewer, id } = await waiting();

  await comment(reviewer, id, { text: 'CANARY of a comment' });

  const report = await author.send(reports.get, { params: { id } });
  const found = await author.send(reports.list, { query: { query: 'CANARY' } });
  expect(JSON.stringify(report.data)).not.toContain('CANARY');
  expect(report.data.revision).toBe(2);
  expect(found.data.content).toEqual([]);
});

test('only author, assigned radiologist and reviewer comment, and other readers see the comments', async () => {
  const { author, reviewer, study, id } = await waiting();
  const colleague = await world.signIn('RADIOLOGIST', author.tenant);
  const assigned = await world.signIn('RADIOLOGIST', author.tenant);
  await participate(assigned, study.id, 'ASSIGNEE');
  const commentId = idIn(await comment(reviewer, id));

  const refused = [
    await comment(colleague, id),
    await reply(colleague, id, commentId),
    await settle(colleague, id, commentId, 'RESOLVED'),
    await remove(colleague, id, commentId),
  ];

  expect(refused.map(({ status, message }) => [status, message])).toEqual(
    Array(4).fill([403, 'Only the author, an assigned radiologist or the reviewer can comment']),
  );
  expect((await comment(assigned, id)).status).toBe(200);
  expect((await listed(colleague, id)).data).toMatchObject({
    canComment: false,
    canSuggest: false,
    comments: [{ text: 'Side?' }, { text: 'Side?' }],
  });
});

test('a referring physician gets no comments, even of a signed report', async () => {
  const { author, reviewer, study, id } = await waiting();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', author.tenant);
  await participate(referrer, study.id, 'REFERRER');
  await comment(reviewer, id);
  const before = await listed(referrer, id);
  await review(reviewer, id, { approved: true, comments: 'Agreed' });
  await finalize(author, id, { content: html });

  expect(before.status).toBe(404);
  expect((await listed(referrer, id)).data).toMatchObject({ comments: [], canComment: false });
});

test('only the requested reviewer suggests changes, and only during the review', async () => {
  const { author, reviewer, id } = await waiting();

  const byAuthor = await suggest(author, id);
  const byReviewer = await suggest(reviewer, id);
  await sendBack(reviewer, id);
  const late = await suggest(reviewer, id, { revision: 3 });

  expect(byAuthor).toMatchObject({ status: 403 });
  expect(byReviewer).toMatchObject({ status: 200, data: { comments: [{ replacement: 'right', text: '' }] } });
  expect(late).toMatchObject({ status: 409, message: 'The report is Revision Required. No review is pending.' });
});

test('only a user who may edit the text accepts or rejects a suggestion, and can undo it', async () => {
  const { author, reviewer, id } = await waiting();
  const commentId = idIn(await suggest(reviewer, id));
  const tooEarly = await settle(author, id, commentId, 'ACCEPTED');
  await sendBack(reviewer, id);

  const byReviewer = await settle(reviewer, id, commentId, 'ACCEPTED');
  const accepted = await settle(author, id, commentId, 'ACCEPTED');
  const again = await settle(author, id, commentId, 'ACCEPTED');
  const rejected = await settle(author, id, commentId, 'REJECTED');
  const undone = await settle(author, id, commentId, 'OPEN');

  expect(tooEarly).toMatchObject({ status: 409, message: 'The report is Pending Review and cannot be edited' });
  expect(byReviewer.status).toBe(403);
  expect(accepted.data.comments[0]).toMatchObject({ state: 'ACCEPTED', settledBy: { id: author.userId } });
  expect(again.status).toBe(200);
  expect(rejected).toMatchObject({ status: 409, message: 'The comment is Accepted. This is not possible now.' });
  expect(undone.data.comments[0]).toMatchObject({ state: 'OPEN' });
});

test('accepting a suggestion does not change the text: the author does, under the author’s own name', async () => {
  const { author, reviewer, id } = await waiting();
  const commentId = idIn(await suggest(reviewer, id));
  await sendBack(reviewer, id);

  await settle(author, id, commentId, 'ACCEPTED');
  const before = await author.send(reports.get, { params: { id } });
  const saved = await save(author, id, { content: html.replace('left', 'right'), revision: 3 });

  expect(before.data).toMatchObject({ content: html, revision: 3 });
  expect(saved.data.history[0]).toMatchObject({ action: 'SAVED', actor: { id: author.userId } });
});

test('a comment cannot be accepted, and a suggestion cannot be resolved', async () => {
  const { author, reviewer, id } = await waiting();
  const commentId = idIn(await comment(reviewer, id));
  const suggestionId = (await suggest(reviewer, id, { anchor: anchorOn('No') })).data.comments[1]?.id ?? '';
  await sendBack(reviewer, id);

  expect((await settle(author, id, commentId, 'ACCEPTED')).status).toBe(409);
  expect((await settle(author, id, suggestionId, 'RESOLVED')).status).toBe(409);
});

test.each([
  ['no words', { anchor: { ...anchorOn('left'), exact: ' ' } }, 'Select words in the report'],
  ['no text', { text: ' ' }, 'Comment is required'],
  ['words that are not in the text', { anchor: { ...anchorOn('left'), exact: 'spleen' } }, /not found in the report/],
  ['a replacement that changes nothing', { replacement: 'left ' }, 'Change the text to suggest a change'],
  ['a comment that is too long', { text: 'x'.repeat(4001) }, 'The comment is longer than 4,000 characters'],
])('refuses %s', async (_what, body, message) => {
  const { reviewer, id } = await waiting();

  const refused = await comment(reviewer, id, body);

  expect(refused).toMatchObject({ status: 422, message: expect.stringMatching(message) });
  expect((await listed(reviewer, id)).data.comments).toEqual([]);
});

test('refuses a comment of a reviewer on an older text', async () => {
  const { reviewer, id } = await waiting();

  expect(await comment(reviewer, id, { revision: 1 })).toMatchObject({ status: 409 });
  expect(await comment(reviewer, id, { revision: 3 })).toMatchObject({ status: 422 });
});

test('a writer may comment on words that are not saved yet', async () => {
  const author = await world.signIn();
  const { id } = await begin(author, html);

  const commented = await comment(author, id, { anchor: anchorOn('spleen', 'The spleen'), revision: 1 });

  expect(commented).toMatchObject({ status: 200, data: { comments: [{ anchor: { exact: 'spleen' } }] } });
});

test('suggested markup stays plain text', async () => {
  const { reviewer, id } = await waiting();
  const markup = '<img src=x onerror=alert(1)>';

  const { data } = await suggest(reviewer, id, { replacement: markup });

  expect(data.comments[0]?.replacement).toBe(markup);
});

test('a suggestion may span paragraphs, and its line breaks are stored alike', async () => {
  const author = await world.signIn();
  const reviewer = await world.signIn('RADIOLOGIST', author.tenant);
  const { id } = await begin(author, `${html}<p>The spleen is small.</p>`);
  await requestReview(author, id, reviewer);
  const anchor = anchorOn('No stone.\nThe spleen', `${text}\nThe spleen is small.`);

  const added = await suggest(reviewer, id, { anchor, replacement: 'No stone.\r\nNo cyst.\u2029The spleen' });
  const unchanged = await suggest(reviewer, id, { anchor, replacement: 'No stone. \r\nThe spleen' });

  expect(added.data.comments[0]?.replacement).toBe('No stone.\nNo cyst.\nThe spleen');
  expect(unchanged).toMatchObject({ status: 422, message: 'Change the text to suggest a change' });
});

test('the author of a comment deletes it until another user reacts', async () => {
  const { author, reviewer, id } = await waiting();
  const first = idIn(await comment(reviewer, id));
  await reply(author, id, first);

  const answered = await remove(reviewer, id, first);
  const second = (await comment(reviewer, id, { anchor: anchorOn('No stone') })).data.comments[1]?.id ?? '';
  const byOther = await remove(author, id, second);
  const removed = await remove(reviewer, id, second);

  expect(answered).toMatchObject({
    status: 409,
    message: 'The comment has a reply or is settled. It cannot be deleted.',
  });
  expect(byOther).toMatchObject({ status: 403, message: 'Only its author can delete a comment' });
  expect(removed.data.comments.map((one) => one.id)).toEqual([first]);
});

test('the comments of a signed report stay readable and no longer change', async () => {
  const { author, reviewer, id } = await waiting();
  const commentId = idIn(await comment(reviewer, id));
  await review(reviewer, id, { approved: true, comments: 'Agreed' });
  await finalize(author, id, { content: html });

  const late = [await comment(author, id, { revision: 4 }), await reply(reviewer, id, commentId)];

  expect(late.map(({ status, message }) => [status, message])).toEqual(
    Array(2).fill([409, 'The report is finalized. Its comments can no longer change.']),
  );
  expect((await listed(author, id)).data).toMatchObject({ canComment: false, comments: [{ canDelete: false }] });
});

test('the first comment notifies the author, and further ones only after it is read', async () => {
  const { author, reviewer, id } = await waiting();
  const commentId = idIn(await comment(reviewer, id));
  await comment(reviewer, id, { anchor: anchorOn('No stone') });
  await reply(author, id, commentId);

  expect(await titlesTo(author)).toEqual(['Your report has new comments']);
  expect(await titlesTo(reviewer)).toEqual(['A report that you review has new comments', 'A report needs your review']);

  const inbox = await author.send(notifications.list);
  await author.send(notifications.markRead, { params: { id: inbox.data.content[0]?.id ?? '' } });
  await comment(reviewer, id, { anchor: anchorOn('normal') });
  expect(await titlesTo(author)).toEqual(['Your report has new comments', 'Your report has new comments']);
});

test('does not find a comment by the id of another report', async () => {
  const { author, reviewer, id } = await waiting();
  const commentId = idIn(await comment(reviewer, id));
  const other = await begin(author, html);

  expect((await settle(author, other.id, commentId, 'RESOLVED')).status).toBe(404);
  expect((await settle(author, id, 'nonsense', 'RESOLVED')).status).toBe(404);
});
