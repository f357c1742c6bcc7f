import { expect, test } from 'vitest';
import { hasPoppler, pagesOf, textOfPdf } from '#test/poppler.ts';
import { reportDocument, signedPart } from '#test/report-document.ts';
import { printReport } from './print-report.ts';

/** More lines than fit on a page. Each is so short that the whole text would fill only a few lines. */
const lines = Array.from({ length: 60 }, (_, index) => `L${index + 1}x`);
const broken = lines.join('<br>');
const paragraphs = lines.map((line) => `<p>${line}</p>`).join('');
const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
const table = (...rows: string[]) => `<table><tbody>${rows.join('')}</tbody></table>`;

const missingOn = (pdf: Buffer): string[] => {
  const paper = textOfPdf(pdf);
  return [...lines, 'SHA-256'].filter((word) => !paper.includes(word));
};

test.runIf(hasPoppler).each([
  ['a paragraph', `<p>${broken}</p>`],
  ['a paragraph below a heading', `<h2>Findings</h2><p>${broken}</p>`],
  ['a paragraph of a list item', `<ol><li><p>${broken}</p></li></ol>`],
  ['a task', `<ul data-type="taskList"><li data-type="taskItem" data-checked="true"><p>${broken}</p></li></ul>`],
  ['a heading', `<h2>${broken}</h2><p>Words beneath it.</p>`],
  ['consecutive headings', lines.map((line) => `<h3>${line}</h3>`).join('') + '<p>Words beneath them.</p>'],
  ['a cell with line breaks', table(row(`<p>${broken}</p>`, '<p>b</p>'))],
  ['a cell with paragraphs', table(row(paragraphs, '<p>b</p>'), row('<p>c</p>', '<p>d</p>'))],
  ['a cell with a list', table(row(`<ul>${lines.map((line) => `<li><p>${line}</p></li>`).join('')}</ul>`))],
  ['a cell with a table', table(row(table(row(paragraphs, '<p>b</p>'))))],
  ['the head of a table', `<table><tbody><tr><th>${paragraphs}</th></tr>${row('<p>a</p>')}</tbody></table>`],
  [
    'a column that the author made narrow',
    `<table><tbody><tr><td colwidth="70"><p>${lines.join(' ')}</p></td><td colwidth="900"><p>b</p></td></tr></tbody></table>`,
  ],
])(
  'many short lines in %s are printed over several pages without loss, with the signature after them',
  async (_, html) => {
    const pdf = await printReport(reportDocument(html));

    expect(missingOn(pdf)).toEqual([]);
  },
);

test.runIf(hasPoppler)('prints a long corrected passage completely', async () => {
  const text = '<p>x</p>';
  const passage = `${'肺'.repeat(3900)} END`;
  const correction = signedPart(`<p>${lines.join(' ')}</p>`, { number: 1, kind: 'CORRECTION', passage, corrects: 0 });

  const pdf = await printReport(reportDocument(text, { parts: [signedPart(text), correction] }));

  expect(pagesOf(pdf).join('')).toContain('END');
  expect(missingOn(pdf)).toEqual([]);
});
