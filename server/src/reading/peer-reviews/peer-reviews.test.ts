import { audit } from '@radwork/contract/identity/audit';
import { notifications } from '@radwork/contract/identity/notifications';
import { defaultGradeLabels, peerReviewExport, peerReviews } from '@radwork/contract/reading/peer-reviews';
import { studies } from '@radwork/contract/imaging/studies';
import { expect, test } from 'vitest';
import { reportSteps } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';
import { drawReports } from './draw-reports.ts';

const world = await createWorld();
const { begin, finalize, auditedActions } = reportSteps(world);

const fail = (error: unknown) => {
  throw error;
};
const draw = () => drawReports(world.context.scopes, fail);

const signReport = async (reader: Person) => {
  const { id, study } = await begin(reader);
  const { status } = await finalize(reader, id);
  if (status !== 200) throw new Error('The report is signed');
  return { id, study };
};

/** Signs in an author, colleagues and an administrator, who sets the share of reports. */
const department = async (settings: object = {}, colleagues = 1) => {
  const author = await world.signIn();
  const others: Person[] = [];
  for (let count = 0; count < colleagues; count += 1) others.push(await world.signIn('RADIOLOGIST', author.tenant));
  const admin = await world.signIn('ADMIN', author.tenant);
  const body = { percent: 100, hidesAuthor: true, hidesReviewer: true, grades: defaultGradeLabels(), ...settings };
  await admin.send(peerReviews.saveSettings, { body });
  return { author, others, reviewer: others[0] as Person, admin };
};

const list = async (person: Person, view: string) => (await person.send(peerReviews.list, { query: { view } })).data;
const score = (person: Person, id: string, body: object = {}) =>
  person.send(peerReviews.score, { params: { id }, body: { grade: 3, comment: 'A nodule is missing', ...body } });
const noticesOf = async (person: Person) =>
  (await person.send(notifications.list)).data.content.map(({ title, message, link }) => ({ title, message, link }));

test('the server draws signed reports for a colleague, who scores them, and the author replies', async () => {
  const { author, reviewer } = await department();
  const { id: reportId } = await signReport(author);

  await draw();
  await draw();

  const { content, toDo } = await list(reviewer, 'TO_DO');
  expect([content.length, toDo]).toEqual([1, 1]);
  const [review] = content;
  expect(review).toMatchObject({ reportId, origin: 'RANDOM', isReviewer: true, canScore: true, grade: null });
  expect(await list(author, 'RECEIVED')).toMatchObject({ content: [] });
  const scored = await score(reviewer, review?.id ?? '', { isSignificant: true });
  expect(scored.data).toMatchObject({ state: 'SCORED', grade: 3, gradeLabel: defaultGradeLabels()[2] });
  const [received] = (await list(author, 'RECEIVED')).content;
  expect(received).toMatchObject({ isReviewer: false, comment: 'A nodule is missing', isSignificant: true });
  const replied = await author.send(peerReviews.reply, {
    params: { id: received?.id ?? '' },
    body: { reply: 'Thank you' },
  });
  expect(replied.data.reply).toBe('Thank you');
  expect((await list(reviewer, 'DONE')).content[0]?.reply).toBe('Thank you');
  expect((await score(reviewer, review?.id ?? '')).status).toBe(409);
});

test('reviewer and author do not learn the name of each other from reviews, notifications and lists', async () => {
  const { author, reviewer } = await department();
  const { study } = await signReport(author);
  await draw();
  const [review] = (await list(reviewer, 'TO_DO')).content;
  const params = { id: review?.id ?? '' };

  const opened = await reviewer.send(peerReviews.get, { params });
  await score(reviewer, params.id);
  await author.send(peerReviews.reply, { params, body: { reply: 'Thank you' } });
  await world.context.auditReads.flush();

  const names = (person: Person) => new RegExp(`${person.username}|${person.userId}`);
  const forReviewer = [opened.data, await list(reviewer, 'DONE'), await noticesOf(reviewer)];
  const forAuthor = [
    (await author.send(peerReviews.get, { params })).data,
    await list(author, 'RECEIVED'),
    await noticesOf(author),
    (await author.send(studies.audit, { params: { id: study.id } })).data.filter(({ action }) =>
      action.startsWith('peer_review'),
    ),
  ];
  expect(opened.data.parts.map(({ content }) => content)).toEqual(['<p>No acute finding.</p>']);
  expect(JSON.stringify(forReviewer)).not.toMatch(names(author));
  expect(JSON.stringify(forAuthor)).not.toMatch(names(reviewer));
});

test('each side exports its own reviews as CSV, without hidden names and with formulas escaped', async () => {
  const { author, reviewer, admin } = await department();
  const { id: reportId } = await signReport(author);
  await draw();
  const exported = (person: Person, view: string) =>
    person.request({ method: 'GET', url: `${peerReviewExport.path}?view=${view}` });
  const linesOf = async (person: Person, view: string) =>
    (await exported(person, view)).body.split('\r\n').slice(1, -1);
  const waiting = await linesOf(reviewer, 'TO_DO');
  const [review] = (await list(reviewer, 'TO_DO')).content;
  await score(reviewer, review?.id ?? '', { comment: '=1+1' });

  const [done, received] = [await linesOf(reviewer, 'DONE'), await linesOf(author, 'RECEIVED')];

  expect([waiting.length, done.length, received.length]).toEqual([1, 1, 1]);
  expect(done[0]).toContain(`"${reportId}"`);
  expect(done[0]).toContain(`"'=1+1"`);
  expect(done[0]).not.toContain(author.session.name);
  expect(received[0]).not.toContain(reviewer.session.name);
  expect(await linesOf(author, 'DONE')).toEqual([]);
  expect(await linesOf(await world.signIn('RADIOLOGIST', author.tenant), 'RECEIVED')).toEqual([]);
  expect((await exported(admin, 'DONE')).statusCode).toBe(403);
  expect(await auditedActions(author)).toContain('peer_review.exportList');
});

test('the audit log hides acts of the reviewer only from the author', async () => {
  const { author, reviewer, admin } = await department();
  await signReport(author);
  await draw();
  const [review] = (await list(reviewer, 'TO_DO')).content;
  await score(reviewer, review?.id ?? '');
  await world.context.auditReads.flush();
  await world.inTenant(author.tenant, async ({ db }) => {
    await db
      .updateTable('roles')
      .set({ permissions: world.sql`array_append(permissions, 'audit.view')` })
      .where('built_in_for', '=', 'RADIOLOGIST')
      .execute();
  });
  const scores = async (person: Person) =>
    (await person.send(audit.list, { query: { action: 'peer_review.score' } })).data.content.map(
      ({ user }) => user.username,
    );

  expect(await scores(author)).toEqual([]);
  expect(await scores(reviewer)).toEqual([reviewer.username]);
  expect(await scores(admin)).toEqual([reviewer.username]);
});

test('the audit log hides every entry of an open review from the author, also where names are shown', async () => {
  const { author, reviewer, admin } = await department({ hidesAuthor: false, hidesReviewer: false });
  await signReport(author);
  await draw();
  await world.inTenant(author.tenant, ({ db }) =>
    db
      .updateTable('roles')
      .set({ permissions: world.sql`array_append(permissions, 'audit.view')` })
      .where('built_in_for', '=', 'RADIOLOGIST')
      .execute(),
  );
  const draws = async (person: Person) =>
    (await person.send(audit.list, { query: { action: 'peer_review.draw' } })).data.content.length;

  expect([await draws(author), await draws(reviewer), await draws(admin)]).toEqual([0, 1, 1]);
  await score(reviewer, (await list(reviewer, 'TO_DO')).content[0]?.id ?? '');
  expect(await draws(author)).toBe(1);
});

test('an organization that hides no names shows them', async () => {
  const { author, reviewer } = await department({ hidesAuthor: false, hidesReviewer: false });
  await signReport(author);
  await draw();
  const [review] = (await list(reviewer, 'TO_DO')).content;
  await score(reviewer, review?.id ?? '');

  expect(review?.author?.id).toBe(author.userId);
  expect((await list(author, 'RECEIVED')).content[0]?.reviewer?.id).toBe(reviewer.userId);
});

test('rounds the share of reports down for this month, and up for the last month', async () => {
  const { author, reviewer } = await department({ percent: 40 });
  for (let count = 0; count < 4; count += 1) await signReport(author);

  await draw();
  expect((await list(reviewer, 'TO_DO')).toDo).toBe(1);
  await world.sql`alter table reports disable trigger finalized_is_final`.execute(world.owner);
  await world.owner
    .updateTable('reports')
    .set({ finalized_at: world.sql`date_trunc('month', now()) - interval '1 day'` })
    .where('author_id', '=', author.userId)
    .execute();
  await world.sql`alter table reports enable trigger finalized_is_final`.execute(world.owner);
  await draw();

  expect((await list(reviewer, 'TO_DO')).toDo).toBe(2);
});

test('a reader cannot review an own report', async () => {
  const { author, reviewer } = await department();
  const { id } = await signReport(author);
  const body = { grade: 1 };

  expect((await author.send(peerReviews.choose, { params: { id }, body })).status).toBe(403);
  const direct = world.inTenant(author.tenant, ({ db }) =>
    db.insertInto('peer_reviews').values({ id, report_id: id, reviewer_id: author.userId, origin: 'CHOSEN' }).execute(),
  );
  await expect(direct).rejects.toThrow('A user cannot review an own report');
  expect((await reviewer.send(peerReviews.choose, { params: { id }, body })).data).toMatchObject({
    origin: 'CHOSEN',
    state: 'SCORED',
    author: null,
  });
  expect((await reviewer.send(peerReviews.choose, { params: { id }, body })).status).toBe(409);
});

test('an author who is alone gets no review', async () => {
  const { author } = await department({}, 0);
  await signReport(author);

  await draw();

  expect((await list(author, 'TO_DO')).toDo).toBe(0);
});

test('a draft is not reviewed, and a difference needs a comment', async () => {
  const { author, reviewer } = await department();
  const { id } = await begin(author);
  const choose = (body: object) => reviewer.send(peerReviews.choose, { params: { id }, body });

  expect((await choose({ grade: 1 })).status).toBe(409);
  await finalize(author, id);
  expect((await choose({ grade: 2 })).status).toBe(422);
  expect((await choose({ grade: 5, comment: 'x' })).status).toBe(422);
  expect((await choose({ grade: 2, comment: 'Small nodule' })).status).toBe(200);
});

test('a reviewer passes a review on to another reviewer, and cannot if there is none', async () => {
  const { author, others } = await department({}, 2);
  await signReport(author);
  await draw();
  const [first, second] = (await list(others[0] as Person, 'TO_DO')).toDo === 1 ? others : others.toReversed();
  const [review] = (await list(first as Person, 'TO_DO')).content;
  const pass = (person: Person | undefined) =>
    (person as Person).send(peerReviews.pass, { params: { id: review?.id ?? '' } });

  expect((await pass(first)).status).toBe(200);
  expect((await list(second as Person, 'TO_DO')).content.map(({ id }) => id)).toEqual([review?.id]);
  expect((await pass(first)).status).toBe(404);
  expect((await pass(second)).status).toBe(409);
});

test('the review of a deactivated reviewer goes to another, also after random choice was turned off', async () => {
  const { author, reviewer, admin } = await department();
  await signReport(author);
  await draw();
  await admin.send(peerReviews.saveSettings, {
    body: { percent: 0, hidesAuthor: true, hidesReviewer: true, grades: defaultGradeLabels() },
  });
  await world.owner.updateTable('users').set({ is_active: false }).where('id', '=', reviewer.userId).execute();
  const other = await world.signIn('RADIOLOGIST', author.tenant);

  await draw();

  expect((await list(other, 'TO_DO')).toDo).toBe(1);
  expect(await auditedActions(admin)).toContain('peer_review.reassign');
});

test('an administrator sees the figures of each reader, without reviewers', async () => {
  const { author, reviewer, admin } = await department({ grades: ['Same', 'Small', 'Medium', 'Large'] });
  await signReport(author);
  const { id } = await signReport(author);
  await draw();
  for (const { id: reviewId } of (await list(reviewer, 'TO_DO')).content.slice(0, 1)) {
    await score(reviewer, reviewId, { grade: 4, isSignificant: true });
  }

  const { data } = await admin.send(peerReviews.figures, { query: {} });

  expect(data).toEqual([
    {
      reader: { id: author.userId, username: author.username, name: `Dr ${author.username}` },
      signed: 2,
      chosenAtRandom: 2,
      chosenByHand: 0,
      open: 1,
      grades: [0, 0, 0, 1],
      significant: 1,
    },
  ]);
  expect((await list(reviewer, 'DONE')).content[0]?.gradeLabel).toBe('Large');
  expect(id).toBeDefined();
  expect(await auditedActions(admin)).toContain('peer_review_settings.save');
});
