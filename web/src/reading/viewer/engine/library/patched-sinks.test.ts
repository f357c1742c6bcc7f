import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { sinks, withoutSink } from '../../../../../build/patch-sinks.ts';

const packages = resolve(import.meta.dirname, '../../../../../../node_modules');

/** Reads a file that the build patches, in its original form from the package. */
const installed = (file: RegExp): string =>
  readFileSync(`${packages}/${file.source.replaceAll(String.raw`\/`, '/').replaceAll(String.raw`\.`, '.')}`, 'utf8');

test.each(sinks)('the build patches the installed $file to pass no text to a sink of the browser', (sink) => {
  const patched = withoutSink(installed(sink.file), sink);

  expect(patched).toContain(sink.after);
  expect(patched).not.toMatch(/__html|new Worker\(|DOMParser\(\)\.parseFromString/);
});

test('library code with an unknown sink stops the build', () => {
  for (const sink of sinks) {
    expect(() => withoutSink(installed(sink.file).replace(sink.before, ''), sink)).toThrow('in another way');
  }
});

test('the page names every Trusted Types policy of our code and of the libraries, and no other', () => {
  const pages = readFileSync(
    resolve(import.meta.dirname, '../../../../../../server/src/core/http/web-pages.ts'),
    'utf8',
  );
  const [, named] = /`trusted-types ([\w -]+)`/.exec(pages) ?? [];
  const ours = readFileSync(resolve(import.meta.dirname, '../../../../core/browser/trusted-types.ts'), 'utf8');
  const [, ofOurs = ''] = /type PolicyName = (.+);/.exec(ours) ?? [];

  const names = [...ofOurs.matchAll(/'([\w-]+)'/g)].map(([, name]) => name);
  expect(named?.split(' ')).toEqual(['dompurify', 'ProseMirrorClipboard', ...names]);
});
