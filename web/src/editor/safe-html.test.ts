import { expect, test } from 'vitest';
import { hasWords, safeHtml } from './safe-html.ts';

test.each([
  '<h2 style="text-align: center">Findings</h2><p><strong>a</strong><sub>b</sub></p>',
  '<ul data-type="taskList"><li data-type="taskItem" data-checked="true"><div><p>Compared</p></div></li></ul>',
  '<table><tbody><tr><td colspan="2" style="background-color: #f8c9cc; text-align: right"><p>1</p></td></tr></tbody></table>',
  '<p><a href="https://example.org/" target="_blank" rel="noopener noreferrer nofollow">prior</a></p>',
  '<img src="data:image/png;base64,iVBORw0KGgo=" alt="Series 4" width="89">',
])('what the server writes is shown as it is: %s', (html) => {
  expect(safeHtml(html)).toBe(html);
});

test.each([
  ['<p onclick="alert(1)" class="x">a</p>', '<p>a</p>'],
  ['<p>a</p><script>alert(1)</script>', '<p>a</p>'],
  ['<img src="https://example.org/track.png" alt="">', '<img alt="">'],
  ['<a href="javascript:alert(1)">a</a>', '<a>a</a>'],
  ['<p style="position: fixed; inset: 0">a</p>', '<p>a</p>'],
  ['<p style="background-color: url(https://example.org)">a</p>', '<p>a</p>'],
  ['<svg><a xlink:href="javascript:alert(1)">a</a></svg>', ''],
])('what the server would never write is not shown: %s', (html, expected) => {
  expect(safeHtml(html)).toBe(expected);
});

test.each([
  ['', false],
  ['<p></p>', false],
  ['<p>&nbsp;\u200b<br></p>', false],
  ['<p>.</p>', true],
])('%o has words: %s', (html, expected) => {
  expect(hasWords(html)).toBe(expected);
});
