import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { sinks, withoutSink } from '../../../build/mend-sinks.ts';

const packages = resolve(import.meta.dirname, '../../../../node_modules');

/** The files that the build mends, as their packages have them. */
const installed = (file: RegExp): string =>
  readFileSync(`${packages}/${file.source.replaceAll(String.raw`\/`, '/').replaceAll(String.raw`\.`, '.')}`, 'utf8');

test.each(sinks)('$file as it is installed is built without handing text to the browser', (sink) => {
  const mended = withoutSink(installed(sink.file), sink);

  expect(mended).toContain(sink.after);
  expect(mended).not.toMatch(/__html|new Worker\(|DOMParser\(\)\.parseFromString/);
});

test('code that does so in a way that we do not know stops the build', () => {
  for (const sink of sinks) {
    expect(() => withoutSink(installed(sink.file).replace(sink.before, ''), sink)).toThrow('in another way');
  }
});

test('the page names every policy that we and the libraries make, and no other', () => {
  const pages = readFileSync(resolve(import.meta.dirname, '../../../../server/src/core/web-pages.ts'), 'utf8');
  const [, named] = /`trusted-types ([\w -]+)`/.exec(pages) ?? [];
  const ours = readFileSync(resolve(import.meta.dirname, '../../core/trusted-types.ts'), 'utf8');
  const [, ofOurs = ''] = /type PolicyName = (.+);/.exec(ours) ?? [];

  const names = [...ofOurs.matchAll(/'([\w-]+)'/g)].map(([, name]) => name);
  expect(named?.split(' ')).toEqual(['dompurify', 'ProseMirrorClipboard', ...names]);
});
