import { inertDocument } from '#core/inert-document.ts';

/** The words of a text as they are pasted elsewhere: a line for each of its lines, the cells of a row apart by tabs. */
export const plainWords = (html: string): string => linesOf(inertDocument(html).body).join('\n');

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
