import { notifications } from '@radwork/contract/identity/notifications';
import { reports } from '@radwork/contract/reading/reports';
import { expect, test } from 'vitest';
import { reportSteps } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { begin, finalize, requestReview, review, participate } = reportSteps(world);

const inbox = async (person: Person) => {
  const { data } = await person.send(notifications.list);
  return data.content.map(({ type, title, link }) => ({ type, title, link }));
};

const pair = async () => {
  const author = await world.signIn();
  return { author, reviewer: await world.signIn('RADIOLOGIST', author.tenant) };
};

const addFinding = (person: Person, id: string) =>
  person.send(reports.addCriticalFinding, {
    params: { id },
    body: { finding: 'Tension pneumothorax of Jane Doe', severity: 'URGENT' },
  });

const criticalFinding = (studyId: string) => ({
  type: 'CRITICAL_FINDING',
  title: 'Critical finding in one of your studies',
  link: `/studies/${studyId}`,
});

test('notifies only the reviewer that a report waits for review', async () => {
  const { author, reviewer } = await pair();
  const bystander = await world.signIn('RADIOLOGIST', author.tenant);
  const { study, id } = await begin(author);

  await requestReview(author, id, reviewer);

  const link = `/studies/${study.id}`;
  expect(await inbox(reviewer)).toEqual([{ type: 'REVIEW_REQUEST', title: 'A report needs your review', link }]);
  expect([await inbox(author), await inbox(bystander)]).toEqual([[], []]);
});

test.each([
  [true, 'Your report was approved'],
  [false, 'Your report needs revision'],
])('notifies the author of the outcome of the review: approved is %s', async (approved, title) => {
  const { author, reviewer } = await pair();
  const { study, id } = await begin(author);
  await requestReview(author, id, reviewer);

  await review(reviewer, id, { approved, comments: 'Look again at the left lung' });

  expect(await inbox(author)).toEqual([{ type: 'REVIEW_RESULT', title, link: `/studies/${study.id}` }]);
});

test('a refused request for review notifies no user', async () => {
  const { author, reviewer } = await pair();
  const { id } = await begin(author);

  const refused = await review(reviewer, id, { approved: true, comments: 'Fine' });

  expect(refused.status).toBe(403);
  expect(await inbox(author)).toEqual([]);
});

test('notifies participants and reviewer of a critical finding immediately, but not the user who recorded it', async () => {
  const { author, reviewer } = await pair();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', author.tenant);
  const bystander = await world.signIn('RADIOLOGIST', author.tenant);
  const { study, id } = await begin(author);
  await participate(referrer, study.id, 'REFERRER');
  await requestReview(author, id, reviewer);
  await reviewer.send(notifications.clearAll);

  await addFinding(author, id);

  const notice = [
    { ...criticalFinding(study.id), link: expect.stringMatching(/^\/critical-findings\?findingId=[\w-]+$/) },
  ];
  expect(await inbox(referrer)).toEqual(notice);
  expect(await inbox(reviewer)).toEqual(notice);
  expect([await inbox(author), await inbox(bystander)]).toEqual([[], []]);
});

test('signing a report notifies users of its critical findings, if there are any', async () => {
  const author = await world.signIn();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', author.tenant);
  const [critical, plain] = [await begin(author), await begin(author)];
  for (const { study } of [critical, plain]) await participate(referrer, study.id, 'REFERRER');

  await finalize(author, critical.id, { hasCriticalFindings: true, criticalFindingsDetails: 'Call at once' });
  await finalize(author, plain.id);

  const notices = (await inbox(referrer)).filter(({ type }) => type === 'CRITICAL_FINDING');
  expect(notices).toEqual([
    { ...criticalFinding(critical.study.id), link: expect.stringMatching(/^\/critical-findings\?findingId=[\w-]+$/) },
  ]);
});

test('the notification of a critical finding contains neither the finding nor the patient', async () => {
  const author = await world.signIn();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', author.tenant);
  const { study, id } = await begin(author);
  await participate(referrer, study.id, 'REFERRER');

  await addFinding(author, id);

  const { data } = await referrer.send(notifications.list);
  expect(data.content).toHaveLength(1);
  expect(JSON.stringify(data)).not.toContain('pneumothorax');
  // For users who may know of the study, the list adds the name of the patient. The row does not contain it.
  expect(`${data.content[0]?.title} ${data.content[0]?.message}`).not.toMatch(/Doe|P-/);
});
