import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { answerAtlas, answerGuidelines, entryOf, guidelineOf, storedFileOf } from '#test/library.ts';
import { signIn, visit } from '#test/screen.tsx';

const payloadFile = resolve(import.meta.dirname, '../../../../../shared/security/xss.json');

const ownPayloads = [
  '<script>window.__xss=1</script>',
  '<img src=x onerror=window.__xss=1>',
  '"><svg onload=window.__xss=1>',
  '<iframe srcdoc="<script>parent.__xss=1</script>"></iframe>',
  '<a href="javascript:window.__xss=1">a</a>',
  '<style>@import "//127.0.0.1:9"</style>',
  `' onmouseover='window.__xss=1`,
];

const knownPayloads = (): string[] => {
  const { html, text }: { html: { html: string }[]; text: string[] } = JSON.parse(readFileSync(payloadFile, 'utf8'));
  // Limits the length, for the server and for a fast test.
  return [...html.map((payload) => payload.html), ...text].map((words) => words.slice(0, 2000));
};

beforeEach(() => void signIn('RADIOLOGIST'));

/** Returns elements that these screens never use, and elements with attributes that run code. */
const suspicious = (): string[] =>
  Array.from(document.querySelectorAll('*')).flatMap((element) => {
    const name = element.tagName.toLowerCase();
    const dangerousTags =
      /^(script|iframe|object|embed|base|form\[action\]|math|video|audio|details|marquee|template|link|meta|img)$/;
    const handlers = element.getAttributeNames().filter((attribute) => attribute.startsWith('on'));
    const address = element.getAttribute('href') ?? element.getAttribute('src') ?? '';
    return [
      ...(dangerousTags.test(name) ? [name] : []),
      ...handlers,
      ...(/^\s*(javascript|data):/i.test(address) ? [address] : []),
    ];
  });

const lookAt = async (title: string) => {
  await screen.findAllByRole('button', { name: /^View / });
  const opener = screen.getAllByRole('button').find((button) => button.getAttribute('aria-label') === `View ${title}`);
  if (!opener) throw new Error('The row is missing');
  await userEvent.click(opener);
  return screen.findByRole('dialog');
};

const expectShownAsText = async (payloads: readonly string[]) => {
  document.head.replaceChildren();
  const all = payloads.map((words, index) => ({ words, id: `x${index}` }));
  const entryFields = ({ words, id }: (typeof all)[number]) => ({
    id,
    title: words,
    author: words,
    modality: words,
    bodyPart: words,
  });
  const file = (words: string) => storedFileOf({ filename: words });
  const first = all[0]?.words ?? '';

  const atlas = visit(
    '/atlas',
    ...answerAtlas(...all.map((one) => entryOf({ ...entryFields(one), summary: one.words, files: [file(one.words)] }))),
  );
  await screen.findByRole('table');
  const table = await screen.findByRole('table');
  await within(table).findAllByRole('row');
  for (const { words } of all) expect(table.textContent).toContain(words);
  const details = await lookAt(first);
  await within(details).findByRole('region', { name: 'Summary' });
  expect(details.textContent.split(first).length - 1).toBeGreaterThanOrEqual(7);
  expect(suspicious()).toEqual([]);
  atlas.unmount();

  const guidelines = visit(
    '/guidelines',
    ...answerGuidelines(
      ...all.map((one) => guidelineOf({ ...entryFields(one), content: one.words, attachments: [file(one.words)] })),
    ),
  );
  await screen.findByRole('table');
  const content = await lookAt(first);
  expect((await within(content).findByRole('region', { name: 'Content' })).textContent).toBe(first);
  expect(suspicious()).toEqual([]);
  guidelines.unmount();
};

test.each(ownPayloads)('text with HTML is shown as text and creates no element: %s', async (words) => {
  await expectShownAsText([words]);
  expect('__xss' in window).toBe(false);
});

test.runIf(existsSync(payloadFile))(
  'known attacks in text fields and file names of the library create no element',
  { timeout: 60_000 },
  async () => {
    const payloads = knownPayloads();
    await expectShownAsText(payloads);
    expect('__xss' in window).toBe(false);
    expect(payloads.length).toBeGreaterThan(100);
  },
);
