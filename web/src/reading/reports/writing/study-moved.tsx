import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { NamedPatient } from '@radwork/contract/core/named-patient';
import type { Report } from '@radwork/contract/reading/reports';
import { formatMoment } from '#ui/formats/formats.ts';
import { Notice } from '#ui/feedback/notice.tsx';

/** Returns the patient's name and ID, so that the reader notices a change of patient. */
export const patientNameAndId = ({ patientName, patientId }: Omit<NamedPatient, 'id'>): string =>
  `${patientName || t`no name`} (${patientId})`;

/**
 * Warns that the study of an unsigned report has moved to another patient. The text may be about the previous patient.
 */
export function StudyMovedNotice({ report }: { report: Report }) {
  if (!report.refiledAt || report.status === 'FINALIZED') return null;
  const moment = formatMoment(report.refiledAt);
  const patient = patientNameAndId(report);
  return (
    <Notice tone="warning">
      <Trans>
        The study was moved to <strong>{patient}</strong> on {moment}, after this report was created. Verify that the
        text is about this patient.
      </Trans>
    </Notice>
  );
}
