import { plural, t } from '@lingui/core/macro';
import { placeholders } from '@radwork/contract/core/placeholders';
import { severityLabels } from '@radwork/contract/reading/critical-finding-states';
import { statedIdentity } from '@radwork/contract/imaging/identities';
import { amendedLabel, partTitle, type SignedPart, signerText } from '@radwork/contract/reading/report-parts';
import type { Report } from '@radwork/contract/reading/reports';
import { reportStatusLabels } from '@radwork/contract/reading/report-status';
import { formatLocal, formatMoment } from '#ui/formats/formats.ts';
import { styleNonce } from '#ui/layout/theme.ts';
import { htmlToPlainText } from '#reading/reports/autosaves/plain-text.ts';
import { safeHtml, shownPage } from '#reading/editor/reading/safe-html.ts';

const printStyle = `
@page { size: A4; margin: 2cm }
html { color-scheme: light }
body { margin: 0; background: #fff; color: #000; font: 12pt/1.35 "Times New Roman", Times, "Liberation Serif", serif }
h1 { margin: 0 0 8pt; font-size: 16pt }
h2 { margin: 12pt 0 4pt; font-size: 13pt }
h3 { margin: 10pt 0 3pt; font-size: 12pt }
h1, h2, h3 { break-after: avoid }
p { margin: 0 0 6pt; orphans: 3; widows: 3 }
p, h1, h2, h3 { unicode-bidi: plaintext }
a { color: #000 }
img { max-width: 100%; break-inside: avoid }
table { width: 100%; margin: 6pt 0; border-collapse: collapse }
tr { break-inside: avoid }
th, td { padding: 3pt 5pt; border: .5pt solid #000; text-align: left; vertical-align: top }
th { background: #eee }
td p, th p { margin: 0 }
mark, th, td { print-color-adjust: exact; -webkit-print-color-adjust: exact }
ul[data-type=taskList] { padding-left: 0; list-style: none }
ul[data-type=taskList] > li { display: flex; gap: 6pt }
.facts { margin-bottom: 12pt; border-bottom: .75pt solid #000; font-size: 10.5pt }
.facts th, .facts td { border: 0; padding: 1pt 8pt 1pt 0; background: none; font-weight: normal }
.facts td { font-weight: bold }
.draft { border: 1pt solid #000; padding: 4pt 6pt; font-weight: bold }
.signed { margin-top: 18pt; padding-top: 4pt; border-top: .5pt solid #000; font-size: 10.5pt; break-inside: avoid }
.signed img { max-height: 50pt }
.addendum { margin-top: 16pt; padding-left: 8pt; border-left: 1.5pt solid #000 }
.hash { font-size: 8pt; overflow-wrap: anywhere }`;

const escape = (text: string) => text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const fact = (label: string, value: string | null) => `<th scope="row">${label}</th><td>${escape(value || '-')}</td>`;

type SignedReport = Pick<
  Report,
  | 'finalizedBy'
  | 'finalizedAt'
  | 'statement'
  | 'signatureData'
  | 'signingRemark'
  | 'identityStatement'
  | 'contentHash'
  | 'isUnchanged'
>;

const signedBy = ({ finalizedBy, finalizedAt, contentHash, isUnchanged, ...signed }: SignedReport): string =>
  finalizedBy
    ? `<div class="signed">${signed.signatureData ? `<img src="${escape(signed.signatureData)}" alt="">` : ''}
      <p>${signedLine(finalizedBy, finalizedAt)}${signed.statement && `: “${escape(signed.statement)}”`}</p>
      ${[signed.signingRemark, statedIdentity(signed.identityStatement)]
        .filter(Boolean)
        .map((remark) => `<p class="draft">${escape(remark)}</p>`)
        .join('')}
      ${isUnchanged === false ? `<p class="draft">${t`This is not the text that was signed. Do not rely on it.`}</p>` : ''}
      <p class="hash">SHA-256 ${contentHash ?? ''}</p></div>`
    : '';

const signedLine = (signer: NonNullable<SignedReport['finalizedBy']>, finalizedAt: string | null): string => {
  const name = escape(signerText(signer));
  const moment = formatMoment(finalizedAt);
  return t`Signed by ${name}, ${moment}`;
};

const unsignedLine = ({ status, content }: Report): string => {
  const label = reportStatusLabels[status];
  const line = t`${label}: not a signed report`;
  const count = htmlToPlainText(content).match(placeholders())?.length ?? 0;
  if (count === 0) return line;
  return `${line}. ${t`${plural(count, { one: '# unfilled field', other: '# unfilled fields' })}`}`;
};

const addendum = (part: SignedPart): string => `<section class="addendum"><h2>${partTitle(part)}</h2>
${part.kind === 'CORRECTION' ? `<p>${t`Deleted`}: <del>${escape(part.passage)}</del></p><p>${t`Replaced by`}:</p>` : ''}
${safeHtml(part.content)}
${signedBy(part)}</section>`;

/** Critical findings come first, as in the PDF. A reader of the paper has no other notice of them. */
const critical = ({ criticalFindings, criticalFindingsDetails }: Report): string => {
  const isSaid = criticalFindings.some(({ finding }) => finding === criticalFindingsDetails);
  const words = [
    ...(isSaid || criticalFindingsDetails === '' ? [] : [criticalFindingsDetails]),
    ...criticalFindings.map(({ severity, finding }) => `${severityLabels[severity]}. ${finding}`),
  ];
  if (words.length === 0) return '';
  return `<div class="draft"><p>${t`Critical findings`}</p>${words.map((line) => `\n<p>${escape(line)}</p>`).join('')}</div>`;
};

/** Returns a report as an HTML page, black on white. An unsigned report is marked as unsigned. */
export const printedReport = (report: Report): string => `<!doctype html>
<html lang="${document.documentElement.lang || 'en'}"><head><meta charset="utf-8"><title>${t`Report`}</title>
<style nonce="${escape(styleNonce())}">${printStyle}</style></head><body>
<table class="facts">
<tr>${fact(t`Patient`, report.patientName)}${fact(t`Study`, report.studyDescription)}</tr>
<tr>${fact(t`Patient ID`, report.patientId)}${fact(t`Study date`, formatLocal(report.studyDate))}</tr>
<tr>${fact(t`Date of birth`, report.dateOfBirth)}${fact(t`Accession number`, report.accessionNumber)}</tr>
<tr>${fact(t`Author`, report.author.name)}${fact(t`Modality`, report.modality)}</tr>
</table>
${report.amended ? `<p class="draft">${t`${amendedLabel}: additions and corrections follow the text.`}</p>` : ''}
${report.status === 'FINALIZED' ? '' : `<p class="draft">${unsignedLine(report)}</p>`}
${critical(report)}
${safeHtml(report.content)}
${signedBy(report)}
${report.addenda.map(addendum).join('\n')}
</body></html>`;

/** Opens the print dialog for a report in a hidden frame, so that the page itself does not change. */
export const printReport = (report: Report): void => {
  const frame = document.createElement('iframe');
  frame.setAttribute('aria-hidden', 'true');
  frame.style.cssText = 'position:fixed;width:0;height:0;border:0';
  // TypeScript 7 requires a plain string for `srcdoc`.
  frame.srcdoc = shownPage(printedReport(report)) as string;
  frame.addEventListener('load', () => {
    const page = frame.contentWindow;
    if (!page) return;
    page.addEventListener('afterprint', () => frame.remove());
    page.focus();
    page.print();
  });
  document.body.append(frame);
};
