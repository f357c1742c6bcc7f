import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installTranslation, t } from '@radwork/contract/core/translate';
import fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { inLanguage, noteOrganizationLanguage, translateReplies } from './request-language.ts';

const folder = await mkdtemp(join(tmpdir(), 'radwork-languages-'));
afterAll(async () => {
  installTranslation(() => undefined);
  await rm(folder, { recursive: true });
});
await mkdir(join(folder, 'messages'));
const catalogs = { de: 'Die Studie {0} ist gesperrt', fr: 'L’étude {0} est verrouillée' };
for (const [language, sentence] of Object.entries(catalogs)) {
  const messages = { 'The study {0} is locked': sentence.split(/(?=\{0\})|(?<=\{0\})/).map(partOf) };
  await writeFile(join(folder, 'messages', `${language}.json`), JSON.stringify(messages));
}
await writeFile(
  join(folder, 'languages.json'),
  JSON.stringify({
    de: { page: '/de.js', server: 'messages/de.json' },
    fr: { page: '/fr.js', server: 'messages/fr.json' },
  }),
);

function partOf(part: string) {
  return part === '{0}' ? ['0'] : part;
}

const replyIn = async (build: string, headers: Record<string, string>, organization = '') => {
  const app = fastify();
  await translateReplies(app, build);
  app.get('/', async () => {
    if (organization) noteOrganizationLanguage(organization);
    return t`The study ${'A'} is locked`;
  });
  const { body } = await app.inject({ url: '/', headers });
  await app.close();
  return body;
};

const english = 'The study A is locked';
const german = 'Die Studie A ist gesperrt';
const french = 'L’étude A est verrouillée';

test.each([
  ['the chosen language', { cookie: 'language=fr', 'accept-language': 'de' }, 'de', french],
  ['English if it was chosen', { cookie: 'language=en', 'accept-language': 'de' }, 'de', english],
  ['the language of Accept-Language', { 'accept-language': 'de' }, 'fr', german],
  ['the language of the organization', {}, 'fr-CA', french],
  ['English if no language is set', {}, '', english],
])('a message is in %s', async (_, headers, organization, message) => {
  expect(await replyIn(folder, headers as Record<string, string>, organization)).toBe(message);
});

test('a message is in English when no translations were built', async () => {
  expect(await replyIn(join(folder, 'none'), { cookie: 'language=fr' }, 'fr')).toBe(english);
});

test('a mail is in the language of the organization', async () => {
  const app = fastify();
  await translateReplies(app, folder);
  expect(inLanguage('de-AT', () => t`The study ${'A'} is locked`)).toBe(german);
  await app.close();
});
