import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { atlas } from '@radwork/contract/knowledge/atlas';
import { guidelines } from '@radwork/contract/knowledge/guidelines';
import { expect, test } from 'vitest';
import { bytesOf, sendForm } from '#test/library-files.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

const payloadFile = resolve(import.meta.dirname, '../../../../../shared/security/xss.json');

const ownPayloads = [
  '<script>window.__xss=1</script>',
  '<img src=x onerror=window.__xss=1>',
  '"><svg onload=window.__xss=1>',
  `' onmouseover='window.__xss=1`,
  'javascript:window.__xss=1',
  '{{constructor.constructor("window.__xss=1")()}}',
  `'; drop table atlases; --`,
  '=cmd|calc!A1',
  '../../etc/passwd',
  'a%_\\b',
];

const knownPayloads = (): string[] => {
  const { html, text }: { html: { html: string }[]; text: string[] } = JSON.parse(readFileSync(payloadFile, 'utf8'));
  return [...html.map((payload) => payload.html), ...text];
};

/** Attack texts that can be stored: PostgreSQL stores no NUL, UTF-8 no lone surrogate, and texts are trimmed. */
const storable = (payloads: readonly string[]): string[] =>
  payloads
    .map((words) => words.trim())
    .filter((words) => words !== '' && words.isWellFormed() && !words.includes('\0'));

const cut = (words: string, length: number) => words.slice(0, length).toWellFormed().trim();

/** Stores the words in every field of both kinds, and expects them to be returned unchanged. */
const expectKept = async (person: Person, words: string) => {
  const [title, author, bodyPart] = [cut(words, 200), cut(words, 120), cut(words, 64)];
  const summary = cut(words, 5000);
  const entry = await person.send(atlas.create, { body: { title, author, bodyPart, summary } });
  expect(entry).toMatchObject({ status: 200, data: { title, author, bodyPart, summary } });
  const content = cut(words, 100_000);
  const text = await person.send(guidelines.create, { body: { title, author, bodyPart, content } });
  expect(text).toMatchObject({ status: 200, data: { title, author, bodyPart, content } });
};

test('strings that attack pages and queries are stored unchanged and can be found', async () => {
  const person = await world.signIn();
  for (const words of ownPayloads) {
    await expectKept(person, words);
    const { data } = await person.send(atlas.list, { query: { q: words } });
    expect(data.content.map(({ title }) => title)).toContain(words);
  }
});

test.runIf(existsSync(payloadFile))('every known attack string is stored unchanged', { timeout: 60_000 }, async () => {
  const person = await world.signIn();
  const payloads = storable(knownPayloads());
  for (const words of payloads) await expectKept(person, words);
  expect(payloads.length).toBeGreaterThan(90);
});

test('a text with a NUL character gets a 400, not a server error', async () => {
  const person = await world.signIn();

  const { status } = await person.send(atlas.create, { body: { title: 'a\0b', author: 'Dr Ito' } });

  expect(status).toBe(400);
});

test.each(ownPayloads)('refuses the unknown modality %s', async (modality) => {
  const person = await world.signIn();

  const answer = await person.send(atlas.create, { body: { title: 'Case', author: 'Dr Ito', modality } });

  expect(answer).toMatchObject({
    status: 422,
    errors: [{ field: 'modality', message: 'Choose a modality from the list' }],
  });
});

test('a malicious file name is cut to its last path segment, and the download has only this name', async () => {
  const person = await world.signIn();
  // A quotation mark would end the file name, and a backslash begins an escape.
  for (const name of ownPayloads.map((words) => `${words.replaceAll(/["\\]/g, '')}.pdf`)) {
    const { data } = await sendForm(person, 'POST', '/atlas', {
      part: 'atlas',
      body: { title: 'Case', author: 'Dr Ito' },
      files: [{ name, bytes: bytesOf.pdf }],
    });
    const file = data.files[0];
    const answer = await person.request({ method: 'GET', url: `/api/files/${file.id}/download` });

    expect(file.filename).toBe(name.split('/').at(-1));
    expect(answer.headers['content-type']).toBe('application/pdf');
    expect(answer.headers['content-disposition']).toMatch(
      /^inline; filename="[^"<>/\\|:*?]*"; filename\*=UTF-8''[\w!#$&+.^`|~%-]+$/,
    );
  }
});
