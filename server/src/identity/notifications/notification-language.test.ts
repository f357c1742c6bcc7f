import { type Sentence, labelSentence, literal, sentence } from '@radwork/contract/core/translate';
import { studyStatusLabels } from '@radwork/contract/imaging/study-status';
import { afterAll, expect, test } from 'vitest';
import { inLanguage } from '#core/http/request-language.ts';
import { type Notice, notify } from '#core/notifications/notify.ts';
import { newId } from '#core/values/ids.ts';
import { notifyOwner } from '#identity/credentials/notify-owner.ts';
import { translatedApp } from '#test/translated-app.ts';
import { createWorld, type Person, type Tenant } from '#test/world.ts';

const world = await createWorld({
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'radwork@example.org',
  PUBLIC_URL: 'https://radwork.example.org',
});
const title = sentence`One of your studies is now ${labelSentence(studyStatusLabels.PENDING)}`;
const passwordSet = sentence`Your password was set`;
const german = [title.key, passwordSet.key, 'Pending', 'Radwork: {0}', 'Account: {0}, {1}'];
const app = await translatedApp(world, german);
afterAll(() => app.close());

const speakGerman = ({ id }: Tenant) =>
  world.owner.updateTable('tenants').set({ locale: 'de-AT' }).where('id', '=', id).execute();

const tell = ({ tenant, userId }: Person, notice: Partial<Notice> & { title: Sentence }) =>
  world.inTenant(tenant, (scope) =>
    notify(scope, { to: [userId], type: 'STUDY_STATUS', message: literal('CT · Chest'), link: null, ...notice }),
  );

const inbox = async ({ token }: Person, language: Record<string, string> = {}) => {
  const headers = { authorization: `Bearer ${token}`, ...language };
  const reply = await app.inject({ url: '/api/notifications?page=0&size=9', headers });
  return reply.json().data.content.map((one: { title: string; message: string }) => [one.title, one.message]);
};

test('a notification is in the language of its reader, not of the user who caused it', async () => {
  const person = await world.signIn();
  await inLanguage('de', () => tell(person, { title }));
  const english = [['One of your studies is now Pending', 'CT · Chest']];
  const inGerman = [['‹One of your studies is now ‹Pending››', 'CT · Chest']];

  expect(await inbox(person)).toEqual(english);
  expect(await inbox(person, { 'accept-language': 'de' })).toEqual(inGerman);
  await speakGerman(person.tenant);
  expect(await inbox(person)).toEqual(inGerman);
  expect(await inbox(person, { 'accept-language': 'en' })).toEqual(english);
});

test('a notification from before sentences were stored keeps its text', async () => {
  const person = await world.signIn();
  await world.inTenant(person.tenant, ({ db }) =>
    db
      .insertInto('notifications')
      .values({ id: newId(), user_id: person.userId, type: 'ACCOUNT', title: 'Your password was set', message: 'Old' })
      .execute(),
  );

  expect(await inbox(person, { 'accept-language': 'de' })).toEqual([['Your password was set', 'Old']]);
});

test('a sentence that this version does not translate is read in English', async () => {
  const person = await world.signIn();
  await tell(person, { title: sentence`${'Ann'} waved` });

  expect(await inbox(person, { 'accept-language': 'de' })).toEqual([['Ann waved', 'CT · Chest']]);
});

test('the mail of a notification is in the language of the organization', async () => {
  const person = await world.signIn();
  await speakGerman(person.tenant);
  await world.owner.updateTable('users').set({ email: 'a@example.org' }).where('id', '=', person.userId).execute();

  const rows = await world.inTenant(person.tenant, async (scope) => {
    const text = { title: passwordSet, message: literal('') };
    await inLanguage('en', () => notifyOwner(scope, world.context, person.userId, text));
    return scope.db.selectFrom('mails').select(['id', 'sealed']).execute();
  });
  const letters = rows.map(({ id, sealed }) =>
    JSON.parse(
      world.context.vault.open(sealed, { tenantId: person.tenant.id, table: 'mails', row: id, column: 'sealed' }),
    ),
  );

  expect(letters).toEqual([
    expect.objectContaining({
      subject: '‹Radwork: ‹Your password was set››',
      text: expect.stringContaining('‹Your password was set›.'),
    }),
  ]);
});
