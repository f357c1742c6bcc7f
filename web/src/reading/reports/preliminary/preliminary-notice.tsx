import { t } from '@lingui/core/macro';
import type { PreliminaryMark } from '@radwork/contract/reading/preliminary-reports';
import type { Report } from '@radwork/contract/reading/reports';
import { formatMoment } from '#ui/formats/formats.ts';
import { Notice } from '#ui/feedback/notice.tsx';

/** Says who issued a preliminary report, and when. */
export const issuedText = ({ number, issuedBy, issuedAt }: PreliminaryMark): string => {
  const name = issuedBy.name;
  const moment = formatMoment(issuedAt);
  return t`Preliminary report ${number} issued by ${name}, ${moment}.`;
};

/** Notice of the preliminary report of a report. After signing, it also says what changed in an important way. */
export function PreliminaryNotice({ report }: { report: Report }) {
  const { preliminary, preliminaryChange, status } = report;
  if (!preliminary) return null;
  const isSigned = status === 'FINALIZED';
  return (
    <>
      {preliminaryChange !== '' && (
        <Notice tone="warning">{t`Important change from the preliminary report: ${preliminaryChange}`}</Notice>
      )}
      <Notice tone="info">
        {issuedText(preliminary)}{' '}
        {isSigned ? t`The signed report replaces it.` : t`The text below may have changed since.`}
      </Notice>
    </>
  );
}
