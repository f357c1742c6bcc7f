import { expect, test } from 'vitest';
import { reportDocument } from '#test/report-document.ts';
import { conclusionOf } from './conclusion.ts';

const conclusion = (html: string): string => conclusionOf(reportDocument(html));

test.each([
  [
    'a bold line',
    '<h2>Impression</h2><p>No fracture.</p><p><strong>Acute embolism.</strong></p><p>CT in 3 days.</p>',
    'No fracture.\nAcute embolism.\nCT in 3 days.',
  ],
  [
    'a bold line below a bold heading',
    '<p><strong>IMPRESSION</strong></p><p><strong>Acute embolism.</strong></p><p>CT in 3 days.</p>',
    'Acute embolism.\nCT in 3 days.',
  ],
  [
    'smaller headings',
    '<h2>Impression</h2><p>Chest clear.</p><h3>Abdomen</h3><p>Free air.</p>',
    'Chest clear.\nAbdomen\nFree air.',
  ],
  [
    'a line that begins like another section',
    '<h2>Impression</h2><p>Stable.</p><p>Comparison: the nodule has grown.</p><p>Suspicious.</p>',
    'Stable.\nComparison: the nodule has grown.\nSuspicious.',
  ],
  [
    'a text in the same paragraph as its heading',
    '<p><strong>Impression</strong><br>Free air.</p><p>Second.</p>',
    'Free air.\nSecond.',
  ],
])('the conclusion contains the whole impression, including %s', (_, html, expected) => {
  expect(conclusion(`<h2>Findings</h2><p>Words.</p>${html}`)).toBe(expected);
});

test('a heading of the same level ends the impression', () => {
  expect(conclusion('<p><strong>IMPRESSION:</strong> Clear.</p><p><strong>TECHNIQUE:</strong> CT.</p>')).toBe('Clear.');
  expect(conclusion('<p>IMPRESSION: Clear.</p><h2>Technique</h2><p>CT.</p>')).toBe('Clear.');
});

test.each([
  ['a line break ends a line', '<p>Cysts: 1<br>5 mm stone.</p>', 'Cysts: 1\n5 mm stone.'],
  ['emphasis divides no word or number', '<p>1<strong>5</strong> mm, un<em>changed</em></p>', '15 mm, unchanged'],
  [
    'superscript and subscript are kept',
    '<p>0.8 × 10<sup>-3</sup> mm<sup>2</sup>/s, SpO<sub>2</sub></p>',
    '0.8 × 10⁻³ mm²/s, SpO₂',
  ],
  ['text that has no superscript characters is marked with ^', '<p>10<sup>n/a</sup></p>', '10^(n/a)'],
  ['struck-out text is marked as struck out', '<p><s>Right</s> Left hip.</p>', '[struck out: Right] Left hip.'],
  [
    'list items keep their numbers',
    '<ol start="3"><li><p>Cyst.</p></li><li><p>As in 3.</p></li></ol>',
    '3. Cyst.\n4. As in 3.',
  ],
  [
    'a task shows whether it is ticked',
    '<ul data-type="taskList"><li data-type="taskItem" data-checked="true"><p>Effusion</p></li><li data-type="taskItem" data-checked="false"><p>Fracture</p></li></ul>',
    '[x] Effusion\n[ ] Fracture',
  ],
  [
    'each table row is a line',
    '<table><tbody><tr><th><p></p></th><th><p>Left</p></th><th><p>Right</p></th></tr><tr><td><p>Stone</p></td><td><p>no</p></td><td><p>yes: 3 mm</p></td></tr></tbody></table>',
    '| Left | Right\nStone | no | yes: 3 mm',
  ],
])('plain text has the same meaning as the signed text: %s', (_, html, expected) => {
  expect(conclusion(html)).toBe(expected);
});

test('reads report sections from a layout table in the order of the sections', () => {
  const rows = ['<p>Findings</p>|<p>Words.</p>', '<p><strong>Impression</strong></p>|<p>Clear.</p>'];
  const cells = rows.map(
    (row) =>
      `<tr>${row
        .split('|')
        .map((cell) => `<td>${cell}</td>`)
        .join('')}</tr>`,
  );

  expect(conclusion(`<table><tbody>${cells.join('')}</tbody></table>`)).toBe('Clear.');
});
