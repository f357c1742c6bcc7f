import { notifications } from '@radwork/contract/identity/notifications';
import { reportFeedbackCalls } from '@radwork/contract/reading/report-feedback';
import { expect, test } from 'vitest';
import { reportSteps } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { begin, finalize, participate, requestReview, review, save } = reportSteps(world);

const html = (words: string) => `<p>${words}</p>`;

const listed = async (person: Person) => (await person.send(reportFeedbackCalls.list)).data;
const mark = (person: Person, id: string, isRead: boolean) =>
  person.send(reportFeedbackCalls.mark, { params: { id }, body: { isRead } });

/** A resident's draft that an assigned attending changes and signs. */
const signedByAttending = async (before: string, after: string) => {
  const resident = await world.signIn();
  const attending = await world.signIn('RADIOLOGIST', resident.tenant);
  const { study, id } = await begin(resident, html(before));
  await participate(attending, study.id, 'ASSIGNEE');
  await world.owner
    .updateTable('tenants')
    .set({ is_review_required: false })
    .where('id', '=', resident.tenant.id)
    .execute();
  const saved = await save(attending, id, { content: html(after), revision: 1 });
  const signed = await finalize(attending, id, { content: html(after), revision: saved.data.revision });
  return { resident, attending, id, signed };
};

test('lists what a colleague changed in a report before signing it, with the critical changes', async () => {
  const { resident, attending, id, signed } = await signedByAttending(
    'No stone in the left kidney.',
    'Stone of 4 mm in the right kidney.',
  );

  expect(signed.status).toBe(200);
  expect(await listed(resident)).toMatchObject({
    unread: 1,
    entries: [
      {
        report: { id },
        from: 1,
        to: 3,
        by: { id: attending.userId },
        added: 5,
        removed: 3,
        critical: ['LATERALITY', 'NEGATION', 'NUMBER'],
        isRead: false,
      },
    ],
  });
  expect(await listed(attending)).toEqual({ entries: [], unread: 0 });
});

test('an author marks feedback as read and as unread again', async () => {
  const { resident, id } = await signedByAttending('No stone.', 'No stone seen.');

  await mark(resident, id, true);
  await mark(resident, id, true);
  expect(await listed(resident)).toMatchObject({ unread: 0, entries: [{ isRead: true }] });
  await mark(resident, id, false);
  expect(await listed(resident)).toMatchObject({ unread: 1, entries: [{ isRead: false }] });
});

test('only the author of a report reads its feedback', async () => {
  const { attending, id } = await signedByAttending('No stone.', 'Stone.');

  expect((await mark(attending, id, true)).status).toBe(403);
});

test('an approval is feedback on the submitted text, and a later signature is unread feedback', async () => {
  const resident = await world.signIn();
  const reviewer = await world.signIn('RADIOLOGIST', resident.tenant);
  const { id } = await begin(resident, html('One.'));
  const none = await mark(resident, id, true);
  await requestReview(resident, id, reviewer);
  await review(reviewer, id, { approved: false, comments: 'Two' });
  await save(resident, id, { content: html('Two.'), revision: 3 });
  await requestReview(resident, id, reviewer);
  await review(reviewer, id, { approved: true, comments: 'Agreed' });

  const approved = await listed(resident);
  await mark(resident, id, true);
  await finalize(reviewer, id, { content: html('Two.') });

  expect(none.status).toBe(404);
  expect(approved).toMatchObject({ entries: [{ from: 2, to: 6, added: 1, removed: 1 }] });
  expect(await listed(resident)).toMatchObject({ unread: 1, entries: [{ from: 2, to: 7, isRead: false }] });
});

test('notifies the author when a colleague signs a changed text, and not an unchanged one', async () => {
  const titlesTo = async (person: Person) =>
    (await person.send(notifications.list)).data.content.map(({ title }) => title);
  const changed = await signedByAttending('No stone.', 'Stone.');
  const same = await signedByAttending('No stone.', 'No stone.');

  expect(await titlesTo(changed.resident)).toEqual(['Your report was changed and signed by a colleague']);
  expect(await titlesTo(same.resident)).toEqual([]);
});
