import { inertDocument } from '#core/browser/inert-document.ts';

/**
 * Converts report HTML to plain text for pasting. Each block becomes a line; tabs separate the cells of a table row.
 */
export const htmlToPlainText = (html: string): string => linesOf(inertDocument(html).body).join('\n');

const linesOf = (parent: Element): string[] =>
  Array.from(parent.children).flatMap((element) => {
    if (element.matches('p, h1, h2, h3')) return [wordsOf(element)];
    if (element.matches('tr')) return [Array.from(element.children, (cell) => linesOf(cell).join(' ')).join('\t')];
    return linesOf(element);
  });

const wordsOf = (line: Element): string => {
  for (const lineBreak of line.querySelectorAll('br')) lineBreak.replaceWith('\n');
  return line.textContent ?? '';
};
