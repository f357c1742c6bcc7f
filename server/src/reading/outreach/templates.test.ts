import { outboundTopics } from '@radwork/contract/reading/outreach';
import { afterAll, expect, test } from 'vitest';
import { messagesOf, translatedApp } from '#test/translated-app.ts';
import { createWorld } from '#test/world.ts';
import { mailAbout, noticeAbout } from './templates.ts';

const letter = { organization: 'Clinic', address: 'https://radwork.example.org/studies' };
const lettersIn = (locale: string) =>
  outboundTopics.map((topic) => ({ ...mailAbout({ ...letter, topic, locale }), push: noticeAbout(topic, locale) }));
const app = await translatedApp(
  await createWorld(),
  messagesOf(() => lettersIn('en')),
);
afterAll(() => app.close());

test('each mail and push about an event is wholly in the language of the organization', () => {
  for (const { subject, text, push } of lettersIn('de-AT')) {
    for (const part of [subject, ...text.split('\n\n'), push.subject, push.text]) expect(part).toMatch(/^‹.+›$/s);
  }
  expect(lettersIn('en').some(({ subject, text }) => `${subject}${text}`.includes('‹'))).toBe(false);
  expect(mailAbout({ ...letter, topic: 'ASSIGNMENT', locale: 'de' }).subject).toBe(
    '‹Radwork: ‹A study was assigned to you››',
  );
});
