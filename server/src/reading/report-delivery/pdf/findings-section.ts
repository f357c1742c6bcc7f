import { communicationMethodLabels, severityLabels } from '@radwork/contract/reading/critical-finding-states';
import { localMinute } from '#core/values/local-minute.ts';
import type { DocumentFinding, ReportDocument } from '#reading/report-delivery/report-document.ts';
import type { Content } from './content.ts';
import { boxLines, small, tiny } from './page-text.ts';
import { setApart } from './visual-order.ts';

/** Returns the critical findings and their communications. */
export const findingsOf = ({ reader, findings, criticalFindingsDetails, timeZone }: ReportDocument): Content[] => {
  if (findings.length === 0 && criticalFindingsDetails === '') return [];
  const isRecorded = findings.some(({ finding }) => finding === criticalFindingsDetails);
  const rows = [
    small('Critical findings', { bold: true }),
    ...(criticalFindingsDetails && !isRecorded ? [small(criticalFindingsDetails)] : []),
    ...findings.flatMap((finding) => (reader === 'STRANGER' ? headOf(finding) : findingOf(finding, timeZone))),
  ];
  return [{ table: { widths: ['*'], body: [[{ stack: rows }]] }, layout: boxLines, margin: [0, 0, 0, 10] }];
};

const headOf = ({ severity, finding }: DocumentFinding): Content =>
  small(`${severityLabels[severity]}. ${setApart(finding)}`, { margin: [0, 3, 0, 0] });

const findingOf = (finding: DocumentFinding, timeZone: string): Content[] => [
  headOf(finding),
  ...communicationLines(finding, timeZone),
];

const communicationLines = ({ at, by, communications }: DocumentFinding, timeZone: string): Content[] => [
  tiny(`Found by ${setApart(by)}, ${localMinute(at, timeZone)}`),
  ...(communications.length > 0 ? communications : [undefined]).map((one) =>
    tiny(one ? tellingOf(one, timeZone) : 'Not communicated yet'),
  ),
];

const tellingOf = (one: DocumentFinding['communications'][number], timeZone: string): string => {
  const how = `${communicationMethodLabels[one.method].toLowerCase()}, ${localMinute(one.at, timeZone)}, by ${setApart(one.by)}`;
  const recipient = setApart(one.recipient);
  if (!one.wasReached) return `Could not reach ${recipient} (${how})`;
  return one.hasReadBack
    ? `Communicated to ${recipient} with read-back (${how})`
    : `Communicated to ${recipient} (${how})`;
};
