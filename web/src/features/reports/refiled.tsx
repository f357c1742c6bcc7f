import type { NamedPatient } from '@radwork/contract/named-patient';
import type { Report } from '@radwork/contract/reports';
import { formatMoment } from '#ui/formats.ts';
import { Notice } from '#ui/notice.tsx';

/** Whose the study of a report is, as one tells somebody who may have had another patient in mind. */
export const patientOf = ({ patientName, patientId }: Omit<NamedPatient, 'id'>): string =>
  `${patientName || 'no name'} (${patientId})`;

/** Until it is signed, a report whose study was filed under another patient says so: its text may be about the other. */
export function Refiled({ report }: { report: Report }) {
  if (!report.refiledAt || report.status === 'FINALIZED') return null;
  return (
    <Notice tone="warning">
      The study was moved to another patient on {formatMoment(report.refiledAt)}, after this report was begun. It is now
      of <strong>{patientOf(report)}</strong>. Make sure that the text is about them.
    </Notice>
  );
}
