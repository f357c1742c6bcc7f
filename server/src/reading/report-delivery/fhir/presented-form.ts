import { statedIdentity } from '@radwork/contract/imaging/identities';
import { correctedPart, partTitle, type SignedPart, signerText } from '@radwork/contract/reading/report-parts';
import type { Attachment } from 'fhir/r4';
import { localMinute } from '#core/values/local-minute.ts';
import { rebuildHtmlForElsewhere } from '#reading/report-records/report-html.ts';
import { changeFromPreliminary, type ReportDocument } from '#reading/report-delivery/report-document.ts';

/** Returns the complete report as HTML and as PDF. */
export const presentedForm = (document: ReportDocument, pdf: Buffer): Attachment[] => [
  attachment('text/html', Buffer.from(pageOf(document)), document),
  attachment('application/pdf', pdf, document),
];

const attachment = (contentType: string, bytes: Buffer, { changedAt }: ReportDocument): Attachment => ({
  contentType,
  language: 'en',
  data: bytes.toString('base64'),
  size: bytes.length,
  title: 'Radiology report',
  creation: changedAt,
});

/** Returns a page without scripts and style sheets. The stored text is sanitized again. */
const pageOf = ({ parts, timeZone, preliminaryChange }: ReportDocument): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Radiology report</title></head><body>${changeOf(preliminaryChange)}${parts
    .map((part) => `${headOf(part)}${rebuildHtmlForElsewhere(part.content).html}${signedBy(part, timeZone)}`)
    .join('<hr>')}</body></html>`;

const changeOf = (preliminaryChange: string): string =>
  preliminaryChange && `<p>${escapeHtml(changeFromPreliminary(preliminaryChange))}</p>`;

const headOf = (part: SignedPart): string => {
  if (part.kind === 'REPORT') return '';
  const title = `<h2>${escapeHtml(partTitle(part))}</h2>`;
  if (part.kind === 'ADDENDUM') return title;
  const corrected = correctedPart(part.corrects);
  const where = `Replaces this passage of ${corrected}:`;
  return `${title}<p>${escapeHtml(where)}</p><blockquote><p>${escapeHtml(part.passage)}</p></blockquote>`;
};

const signedBy = ({ finalizedBy, finalizedAt, ...part }: SignedPart, timeZone: string): string => {
  const when = `${localMinute(finalizedAt, timeZone)} (${timeZone})`;
  const words = [part.statement, part.signingRemark, statedIdentity(part.identityStatement)].filter(Boolean).join('. ');
  return `<p>Signed by ${escapeHtml(signerText(finalizedBy))}, ${escapeHtml(when)}. ${escapeHtml(words)}</p>`;
};

/** Escapes text for HTML and XHTML. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);
