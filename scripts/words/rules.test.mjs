import { expect, test } from 'vitest';
import { readTexts } from './read-texts.mjs';
import { faultOf, faultOfSubject } from './rules.mjs';

test.each([
  ['Whoever holds the link reads it.', 'opens with "Whoever"'],
  ['Returns what somebody typed.', '"somebody"'],
  ['Returns the colour of a pixel.', '"colour"'],
  [`Returns ${'very '.repeat(30)}long sentences.`, '33 words in one sentence'],
])('the word check finds the fault of "%s"', (text, fault) => {
  expect(faultOf(text)).toBe(fault);
});

test.each([
  'Returns the color of a pixel.',
  'Reads `colour` of the file.',
  `Returns ${'very '.repeat(15)}long. ${'And '.repeat(15)}so on.`,
])('the word check accepts "%s"', (text) => {
  expect(faultOf(text)).toBeUndefined();
});

test.each([
  ['archive: refuse files of hidden studies', undefined],
  ['archive: refuses files of hidden studies', '"refuses" is not an imperative'],
  ['archive: address the reader', undefined],
  ['archive: refused files', '"refused" is not an imperative'],
  ['Refuse files of hidden studies', 'not `area: summary`'],
  [`archive: ${'a'.repeat(80)}`, '89 characters; at most 72'],
  ["Merge branch 'words'", undefined],
])('the commit subject "%s" has the fault %s', (subject, fault) => {
  expect(faultOfSubject(subject)).toBe(fault);
});

test('the word check reads comments, test titles and visible strings with their lines', () => {
  const source = `// Two lines
// make one comment.
/**
 * Returns
 * it.
 */
// oxlint-disable-next-line no-console
test.each(rows)('refuses %s', () => {});
const a = <Button label="Save report">Sign {name}</Button>;
`;

  expect(readTexts('a.tsx', source)).toEqual([
    { kind: 'comment', line: 1, text: 'Two lines make one comment.' },
    { kind: 'comment', line: 3, text: 'Returns it.' },
    { kind: 'test title', line: 8, text: 'refuses %s' },
    { kind: 'string', line: 9, text: 'Save report' },
    { kind: 'string', line: 9, text: 'Sign' },
  ]);
});

test('the word check reads the sentences for translators', () => {
  const source = [
    'const a = t`The study is locked by ${name}.`;',
    "const b = t`${plural(count, { one: '# study', other: '# studies' })} deleted`;",
    "const c = translated({ STAT: 'At once' });",
    'const d = <Trans>Signed by <b>{name}</b> today</Trans>;',
    'const e = <Plural value={count} one="# file" other="# files" />;',
  ].join('\n');
  expect(readTexts('page.tsx', source).map(({ text }) => text)).toEqual([
    'The study is locked by ….',
    '… deleted',
    '# study',
    '# studies',
    'At once',
    'Signed by … today',
    '# file',
    '# files',
  ]);
});
