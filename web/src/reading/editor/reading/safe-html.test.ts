import { expect, test } from 'vitest';
import { hasVisibleText, safeHtml, shownHtml, shownPage } from './safe-html.ts';

test.each([
  '<h2 style="text-align: center">Findings</h2><p><strong>a</strong><sub>b</sub></p>',
  '<ul data-type="taskList"><li data-type="taskItem" data-checked="true"><div><p>Compared</p></div></li></ul>',
  '<table><tbody><tr><td colspan="2" style="background-color: #f8c9cc; text-align: right"><p>1</p></td></tr></tbody></table>',
  '<p><a href="https://example.org/" target="_blank" rel="noopener noreferrer nofollow">prior</a></p>',
  '<img src="data:image/png;base64,iVBORw0KGgo=" alt="Series 4" width="89">',
])('HTML written by the server is shown unchanged: %s', (html) => {
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
])('HTML that the server never writes is not shown: %s', (html, expected) => {
  expect(safeHtml(html)).toBe(expected);
  expect(shownHtml(html)).toBe(expected);
});

test.each([
  ['', false],
  ['<p></p>', false],
  ['<p>&nbsp;\u200b<br></p>', false],
  ['<p>.</p>', true],
])('the HTML %o has visible text: %s', (html, expected) => {
  expect(hasVisibleText(html)).toBe(expected);
});

test('a shown page keeps its style and title, and loses everything that loads or runs other content', () => {
  const hostile =
    '<script>alert(1)</script><img src="x" onerror="alert(1)"><link rel="stylesheet" href="https://example.org"><iframe></iframe>';
  const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="0;https://example.org"><title>Report</title>
<style nonce="abc">ul > li { color: #000 }</style></head><body class="draft"><section><p>a</p>${hostile}</section></body></html>`;

  const pageText = shownPage(page) as string;

  expect(pageText).toMatch(/^<!DOCTYPE html>/i);
  expect(pageText).toContain('<title>Report</title>\n<style nonce="abc">ul > li { color: #000 }</style>');
  expect(pageText).toContain('<body class="draft"><section><p>a</p><img></section></body>');
  expect(pageText).not.toMatch(/script|onerror|link|iframe|refresh|example/);
});
