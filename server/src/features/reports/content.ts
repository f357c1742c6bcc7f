import { createHash } from 'node:crypto';
import { reportTextLimit } from '@radwork/contract/reports';
import { invalid } from '#core/problem.ts';
import { rebuildReportHtml } from './report-html.ts';

/** Anything that leaves a mark on paper: neither white space nor characters without a shape. */
const visible = /[^\s\p{Cf}]/u;

/**
 * The text of a report as it is stored, whatever was sent. Throws a problem when there is nothing to read in it or
 * when it is too long: a report is never cut (C47).
 */
export const acceptContent = (source: string): string => {
  const { html, text } = rebuildReportHtml(source);
  if (!visible.test(text)) throw invalid({ content: 'Report content is required' });
  assertShort(text);
  return html;
};

/** The same for a text that somebody still writes: it may be empty, as after everything was deleted. */
export const acceptUnfinished = (source: string): string => {
  const { html, text } = rebuildReportHtml(source);
  assertShort(text);
  return html;
};

const assertShort = (text: string): void => {
  if (text.length <= reportTextLimit) return;
  throw invalid({ content: `The report is longer than ${reportTextLimit.toLocaleString('en-US')} characters` });
};

/** SHA-256 of a stored text: whoever has the text can tell that it is the one that was signed. */
export const hashOfContent = (content: string): Buffer => createHash('sha256').update(content).digest();
