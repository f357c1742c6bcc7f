import { notifications } from '@radwork/contract/identity/notifications';
import { expect, test } from 'vitest';
import { beginReport, reportSteps } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { begin, finalize, requestReview, rerouteReview, review, auditedActions } = reportSteps(world);

/** A report that waits for its reviewer, and another possible reviewer. */
const waiting = async () => {
  const author = await world.signIn();
  const reviewer = await world.signIn('RADIOLOGIST', author.tenant);
  const other = await world.signIn('RADIOLOGIST', author.tenant);
  const { study, id } = await begin(author);
  await requestReview(author, id, reviewer);
  return { author, asked: reviewer, other, study, id };
};

const approve = (person: Person, id: string) => review(person, id, { approved: true, comments: 'Agreed' });

const titlesTo = async (person: Person): Promise<string[]> => {
  const { data } = await person.send(notifications.list);
  return data.content.map(({ title }) => title);
};

test('a new reviewer approves a report whose reviewer is deactivated, and it is signed', async () => {
  const { author, asked: reviewer, other, study, id } = await waiting();
  await world.owner.updateTable('users').set({ is_active: false }).where('id', '=', reviewer.userId).execute();
  const stuck = [
    await requestReview(author, id, other),
    await finalize(author, id),
    await beginReport(author, study.id),
    await approve(other, id),
  ];

  const rerouted = await rerouteReview(author, id, other);
  const approved = await approve(other, id);
  const signed = await finalize(author, id);

  expect(stuck.map(({ status }) => status)).toEqual([409, 409, 409, 403]);
  expect(rerouted).toMatchObject({
    status: 200,
    data: {
      status: 'PENDING_REVIEW',
      reviewer: { id: other.userId },
      reviewNotes: 'Please look',
      history: [{ version: 3, action: 'REVIEW_REQUESTED', comment: `Instead of Dr ${reviewer.username}` }, {}, {}],
    },
  });
  expect([approved.status, signed.status]).toEqual([200, 200]);
  expect(await auditedActions(author)).toContain('report.rerouteReview');
});

test('notifies the new and the previous reviewer of a rerouted review', async () => {
  const { author, asked: reviewer, other, id } = await waiting();

  await rerouteReview(author, id, other);

  expect(await titlesTo(other)).toEqual(['A report needs your review']);
  expect(await titlesTo(reviewer)).toEqual([
    'A report no longer needs your review. A colleague reviews it instead.',
    'A report needs your review',
  ]);
  expect((await approve(reviewer, id)).status).toBe(403);
});

test('users who may assign studies can reroute a review, and other users cannot', async () => {
  const { author, other, id } = await waiting();
  const administrator = await world.signIn('ADMIN', author.tenant);
  const referrer = await world.signIn('REFERRING_PHYSICIAN', author.tenant);

  expect((await rerouteReview(referrer, id, other)).status).toBe(403);
  expect((await rerouteReview(administrator, id, other)).status).toBe(200);
});

test('reroutes a review only to a user who may review, and only while it is pending', async () => {
  const { author, asked: reviewer, other, id } = await waiting();

  const toAuthor = await rerouteReview(other, id, author);
  const toTheSame = await rerouteReview(author, id, reviewer);
  await approve(reviewer, id);
  const tooLate = await rerouteReview(author, id, other);

  expect(toAuthor).toMatchObject({ status: 422, message: 'Please select a reviewer' });
  expect(toTheSame).toMatchObject({ status: 422, message: 'This review was already requested from this colleague' });
  expect(tooLate).toMatchObject({
    status: 409,
    message: 'The report is Approved. No review is pending.',
  });
});
