import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { textsIn } from '../../web/build/extract-texts.ts';

const root = join(import.meta.dirname, '../..');

const filesOf = (workspace) =>
  execFileSync('git', ['ls-files', `${workspace}/src`], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.|\/translate\.ts$/.test(name));

const parsed = (file) => {
  const source = readFileSync(join(root, file), 'utf8');
  return { source, program: parseSync(file, source).program };
};

/** Returns the identifiers and messages of a catalog. */
const catalogOf = (workspace) => {
  const catalog = readFileSync(join(root, `messages/${workspace}/en.po`), 'utf8');
  const texts = catalog.matchAll(/^msg(?:id|str) ((?:".*"\n)+)/gm);
  return new Set(
    Array.from(texts, ([, lines]) =>
      lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .join(''),
    ),
  );
};

/** Visits the nodes of a program with the number of functions around each. */
const visit = (node, onNode, functions = 0) => {
  if (Array.isArray(node)) return node.forEach((each) => visit(each, onNode, functions));
  if (!node || typeof node !== 'object') return undefined;
  if (node.type) onNode(node, functions);
  const inside = /Function/.test(node.type ?? '') ? functions + 1 : functions;
  for (const value of Object.values(node)) visit(value, onNode, inside);
  return undefined;
};

const isMarked = (node) => node.type === 'TaggedTemplateExpression' && node.tag.name === 't';

/** Returns the sentences of the web whose values are plain names. Lingui normalizes the other sentences. */
const sentencesOfWeb = (program) => {
  const sentences = [];
  visit(program, (node) => {
    if (!isMarked(node)) return;
    const { quasis, expressions } = node.quasi;
    const parts = quasis.map(({ value }) => value.cooked);
    if (expressions.some(({ type }) => type !== 'Identifier') || parts.some((part) => /['{}]/.test(part))) return;
    sentences.push(parts.reduce((sentence, part, at) => `${sentence}{${expressions[at - 1].name}}${part}`));
  });
  return sentences;
};

test.each(['contract', 'server', 'web'])('the message catalog of %s has all sentences of the source', (workspace) => {
  const known = catalogOf(workspace);
  const missing = filesOf(workspace).flatMap((file) => {
    const { program } = parsed(file);
    const keys = workspace === 'web' ? sentencesOfWeb(program) : textsIn(program).map(({ key }) => key);
    return keys.filter((key) => !known.has(key)).map((key) => `${file}: ${key}`);
  });
  expect(missing, 'Run npm run messages -w web').toEqual([]);
});

test.each(['contract', 'server'])(
  'the module %s translates no sentence in a constant, only inside functions',
  (workspace) => {
    const early = filesOf(workspace).flatMap((file) => {
      const { source, program } = parsed(file);
      const lines = [];
      visit(program, (node, functions) => {
        if (isMarked(node) && functions === 0) lines.push(`${file}:${source.slice(0, node.start).split('\n').length}`);
      });
      return lines;
    });
    expect(early, 'Use t inside a function: a constant stays in English').toEqual([]);
  },
);
