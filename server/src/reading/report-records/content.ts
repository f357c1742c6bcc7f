import { t } from '@radwork/contract/core/translate';
import { createHash } from 'node:crypto';
import { reportTextLimit } from '@radwork/contract/reading/reports';
import { invalid } from '#core/http/problem.ts';
import { rebuildFinalHtml, rebuildReportHtml } from './report-html.ts';

/** A character that is visible on paper: not white space, and not a character without a shape. */
const visible = /[^\s\p{Cf}]/u;

/**
 * Returns the text of a report in the form that is stored. Throws a Problem if the text is empty or too long. It is
 * never shortened.
 */
export const acceptContent = (source: string): string => {
  const { html, text } = rebuildReportHtml(source);
  if (!visible.test(text)) throw invalid({ content: t`Report content is required` });
  assertShort(text);
  return html;
};

/**
 * Returns the text that is signed or frozen: an accepted text in which the values of typed fields are ordinary text.
 * Throws a Problem if no text remains.
 */
export const finalContent = (accepted: string): string => {
  const { html, text } = rebuildFinalHtml(accepted);
  if (!visible.test(text)) throw invalid({ content: t`Report content is required` });
  return html;
};

/** Accepts a text that is not finished. It may be empty. */
export const acceptUnfinished = (source: string): string => {
  const { html, text } = rebuildReportHtml(source);
  assertShort(text);
  return html;
};

const assertShort = (text: string): void => {
  if (text.length <= reportTextLimit) return;
  throw invalid({ content: t`The report is longer than ${reportTextLimit.toLocaleString('en-US')} characters` });
};

/** Returns the SHA-256 of a stored text. The hash proves that this text was signed. */
export const hashOfContent = (content: string): Buffer => createHash('sha256').update(content).digest();
