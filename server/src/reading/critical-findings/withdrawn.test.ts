import { criticalFindings } from '@radwork/contract/reading/critical-findings';
import { notifications } from '@radwork/contract/identity/notifications';
import { expect, test } from 'vitest';
import { findingSteps } from '#test/finding-steps.ts';
import { reportSteps } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';
import { escalateFindings } from './escalate.ts';

const world = await createWorld();
const { begin, participate } = reportSteps(world);
const { add, communicate, acknowledge, withdraw, passMinutes } = findingSteps(world);

const withdrawn = 'A critical finding that was communicated to you was withdrawn. Read the reason.';

const noticesTo = async (person: Person) =>
  (await person.send(notifications.list)).data.content
    .filter(({ title }) => title === withdrawn)
    .map(({ message, link }) => ({ message, link }));

test('when a finding is withdrawn, all users who may act on it are notified, without its text', async () => {
  const author = await world.signIn();
  const [colleague, surgeon, referrer] = [
    await world.signIn('RADIOLOGIST', author.tenant),
    await world.signIn('RADIOLOGIST', author.tenant),
    await world.signIn('REFERRING_PHYSICIAN', author.tenant),
  ];
  const { study, id: reportId } = await begin(author);
  await participate(referrer, study.id, 'REFERRER');
  const finding = await add(author, reportId);
  await communicate(author, finding.id, { recipientId: surgeon.userId, method: 'PHONE' });
  await acknowledge(surgeon, finding.id);

  await withdraw(colleague, finding.id, 'Skin fold');

  const link = `/critical-findings?findingId=${finding.id}`;
  for (const person of [author, surgeon, referrer]) {
    expect(await noticesTo(person)).toEqual([{ message: expect.not.stringContaining('pneumothorax'), link }]);
  }
  expect(await noticesTo(colleague)).toEqual([]);
});

test('notifies escalation contacts of a withdrawal only if the escalation had reached them', async () => {
  const author = await world.signIn();
  const [onCall, lead] = [
    await world.signIn('RADIOLOGIST', author.tenant),
    await world.signIn('RADIOLOGIST', author.tenant),
  ];
  const administrator = await world.signIn('ADMIN', author.tenant);
  const body = { onCall: [onCall.userId], lead: [lead.userId] };
  await administrator.send(criticalFindings.saveContacts, { body });
  const { id: reportId } = await begin(author);
  const { id } = await add(author, reportId);
  await passMinutes(author, id, 61);
  await escalateFindings(world.context.scopes, (error) => {
    throw error;
  });

  await withdraw(author, id);

  expect([await noticesTo(onCall), await noticesTo(lead)].map((notices) => notices.length)).toEqual([1, 0]);
});
