import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { openPassagesIn } from '@radwork/contract/reading/drafting';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { htmlOfAnswer, longestAnswer } from './answer-html.ts';

const id = '0197c0de-0000-7000-8000-0000000000aa';

test("headings, labels, lists and paragraphs of a model's answer become elements of a report", () => {
  const html = htmlOfAnswer(
    '## **Findings:**\nLungs: 6 mm nodule.\nAll else is normal.\n\nImpression:\n- One\n* Two',
    null,
  );

  expect(html).toBe(
    '<h2>Findings</h2><p><strong>Lungs:</strong> 6 mm nodule.</p><p>All else is normal.</p>' +
      '<h2>Impression</h2><ul><li><p>One</p></li><li><p>Two</p></li></ul>',
  );
});

test("every part of a model's answer has the id of its passage", () => {
  const html = htmlOfAnswer('Findings:\nLungs: clear.\n- One', id);

  expect(openPassagesIn(html)).toEqual([id]);
  expect(html.replaceAll(/<ins [^>]*>.*?<\/ins>/g, '').replaceAll(/<[^>]*>/g, '')).toBe('');
});

const own = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  'Findings:\n- <svg onload=alert(1)>',
  '**<iframe srcdoc="<script>alert(1)</script>">**',
  '"><ins data-ai-passage="0197c0de-0000-7000-8000-0000000000bb">x</ins>',
  '<style>*{display:none}</style>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
];

const corpusFile = resolve(import.meta.dirname, '../../../../../shared/security/xss.json');
const corpus = z.object({ html: z.array(z.object({ html: z.string() })) });
/**
 * Attack texts that are tested as answers of a model. The attack corpus is outside the repository, and its entries are
 * tested only if it is there.
 */
const payloads = [
  ...own,
  ...(existsSync(corpusFile) ? corpus.parse(JSON.parse(readFileSync(corpusFile, 'utf8'))).html : []).map(({ html }) =>
    html.slice(0, longestAnswer),
  ),
];

/** Returns the elements and attributes that a browser would create. */
const partsIn = (html: string): string[] => {
  const parts = new Set<string>();
  const visit = (nodes: readonly DefaultTreeAdapterTypes.ChildNode[]) => {
    for (const node of nodes) {
      if (!('tagName' in node)) continue;
      parts.add(node.tagName);
      for (const { name } of node.attrs) parts.add(`@${name}`);
      visit(node.childNodes);
    }
  };
  visit(parseFragment(html).childNodes);
  return [...parts];
};

test("markup in a model's answer becomes text in the report", () => {
  const allowed = new Set(['p', 'h2', 'ul', 'li', 'strong', 'ins', '@data-ai-passage']);

  for (const payload of payloads) {
    const html = htmlOfAnswer(payload, id);

    expect({ payload, parts: partsIn(html).filter((part) => !allowed.has(part)) }).toEqual({ payload, parts: [] });
    expect({ payload, ids: openPassagesIn(html).filter((openPassage) => openPassage !== id) }).toEqual({
      payload,
      ids: [],
    });
  }
});

test('HTML special characters are shown as they are', () => {
  expect(htmlOfAnswer('<b>5 < 6</b>', null)).toBe('<p>&lt;b&gt;5 &lt; 6&lt;/b&gt;</p>');
});
