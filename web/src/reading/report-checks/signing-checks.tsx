import { plural, t } from '@lingui/core/macro';
import { openPassagesFault } from '@radwork/contract/reading/drafting';
import type { Report } from '@radwork/contract/reading/reports';
import { reportChecks, type ReportWarning } from '@radwork/contract/reading/report-checks';
import { useQuery } from '@tanstack/react-query';
import { call } from '#core/http/api.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { Skeleton } from '#ui/feedback/content-states.tsx';
import styles from './report-checks.module.css';
import { isTextOpen, selectWarningText } from './open-report-text.ts';
import { WarningList } from './warning-list.tsx';

type Props = { report: Report; onClose: () => void };

/** Lists the server's warnings about the text to be signed. Warnings never prevent signing. */
export function SigningChecks({ report, onClose }: Props) {
  const { id, studyId, revision } = report;
  const checkQuery = useQuery({
    // Checks each revision. Checks an unchanged revision again at each opening, because new images may have arrived.
    queryKey: ['reports', id, 'checks', revision],
    staleTime: 0,
    queryFn: ({ signal }) => call(reportChecks.check, { params: { id } }, { signal }),
  });
  const show = (warning: ReportWarning) => {
    onClose();
    // Waits, because the closing dialog first returns the focus to its button.
    setTimeout(() => selectWarningText(studyId, warning), focusReturnsIn);
  };
  if (checkQuery.isPending) return <Skeleton lines={2} label={t`Checking text`} />;
  if (!checkQuery.data) {
    return <Notice tone="warning">{t`Could not check the text. The server checks it again when you sign.`}</Notice>;
  }
  const { warnings } = checkQuery.data;
  const count = warnings.length;
  if (count === 0) return null;
  return (
    <section className={styles.signing} aria-label={t`Before you sign`}>
      <h3>{t`${plural(count, { one: 'Before you sign: # warning', other: 'Before you sign: # warnings' })}`}</h3>
      <WarningList warnings={warnings} onShow={isTextOpen(studyId) ? show : undefined} />
      <p className={styles.note}>
        {openPassagesFault(report.content) === undefined
          ? t`You can sign anyway. The warnings shown are recorded with your signature.`
          : t`These warnings do not prevent signing. The open AI passages above do.`}
      </p>
    </section>
  );
}

/** Delay in milliseconds. */
const focusReturnsIn = 60;
