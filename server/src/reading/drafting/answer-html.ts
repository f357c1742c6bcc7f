import { passageAttribute } from '@radwork/contract/reading/drafting';
import { escapeHtml } from '@radwork/contract/reading/merge-fields';
import { sectionAtStart } from '@radwork/contract/reading/report-sections';
import { rebuildReportHtml } from '#reading/report-records/report-html.ts';

/** Maximum number of characters. No report is as long. Longer answers are refused before this code runs. */
export const longestAnswer = 20_000;

/** Removes Markdown, which models add although the prompt forbids it. */
const withoutMarkdown = (line: string): string =>
  line.replace(/^\s*#{1,6}\s+/, '').replaceAll(/(\*\*|__)(?=\S)((?:(?!\1).)+)(?<=\S)\1/g, '$2');

const headingOf = (line: string): string | undefined => /^([\p{L}\d][^:.]{0,60}):$/u.exec(line.trim())?.[1];
const itemOf = (line: string): string | undefined => /^\s*[-*•]\s+(\S.*)$/.exec(line)?.[1];
const labelOf = (line: string): [label: string, rest: string] | undefined => {
  const [, label, rest] = /^(\p{L}[\p{L}\d ,&/()-]{1,40}):\s+(\S.*)$/u.exec(line) ?? [];
  return label !== undefined && rest !== undefined ? [label, rest] : undefined;
};

/**
 * Splits a drafted report at each report section, such as findings or impression. The heading of a section gets its own
 * line. Other headings stay inside their section.
 */
export const sectionsOfAnswer = (text: string): string[] => {
  const sections: string[] = [''];
  for (const line of text.split(/\r?\n/)) {
    const words = withoutMarkdown(line).trim();
    const sectionStart = sectionAtStart(words);
    const heading = sectionStart && words.slice(0, sectionStart.length);
    if (heading) sections.push([heading, words.slice(heading.length).trim()].join('\n'));
    else sections.push(`${sections.pop() ?? ''}\n${line}`);
  }
  return sections.map((section) => section.trim()).filter((section) => section !== '');
};

/**
 * Converts the answer of a drafter to the HTML of a report. The answer is not trusted: all text is escaped, lines
 * become headings, lists and paragraphs, and the result is sanitized like every report text. With a passage id, all
 * text is marked with the id.
 */
export const htmlOfAnswer = (text: string, passageId: string | null): string => {
  const marked = (words: string) =>
    passageId === null
      ? escapeHtml(words)
      : `<ins ${passageAttribute}="${escapeHtml(passageId)}">${escapeHtml(words)}</ins>`;
  return rebuildReportHtml(blocksOf(text, marked).join('')).html;
};

const blocksOf = (text: string, marked: (words: string) => string): string[] => {
  const blocks: string[] = [];
  let items: string[] = [];
  const endList = () => {
    if (items.length > 0) blocks.push(`<ul>${items.map((item) => `<li><p>${marked(item)}</p></li>`).join('')}</ul>`);
    items = [];
  };
  for (const line of text.split(/\r?\n/).map(withoutMarkdown)) {
    const item = itemOf(line);
    if (item !== undefined) {
      items.push(item);
      continue;
    }
    endList();
    if (line.trim() !== '') blocks.push(blockOf(line.trim(), marked));
  }
  endList();
  return blocks;
};

const blockOf = (line: string, marked: (words: string) => string): string => {
  const heading = headingOf(line);
  if (heading !== undefined) return `<h2>${marked(heading)}</h2>`;
  const labeled = labelOf(line);
  if (labeled === undefined) return `<p>${marked(line)}</p>`;
  const [label, rest] = labeled;
  return `<p><strong>${marked(`${label}:`)}</strong>${marked(` ${rest}`)}</p>`;
};
