import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import type { Report } from '@radwork/contract/reading/reports';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CriticalMark } from '#ui/marks/critical-mark.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { formatMoment } from '#ui/formats/formats.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { ReportBody } from './report-body.tsx';
import type { ReportSlots } from './report-slots.ts';
import { ReportStatusPill } from './report-status.tsx';
import styles from './signed-report-link.module.css';

type Props = { report: Report; slots: ReportSlots };

/**
 * Link to the signed report of the study, shown while a newer report is unsigned. Until the newer report is signed, the
 * signed report is valid.
 */
export function SignedReportLink({ report, slots }: Props) {
  const [isShown, setIsShown] = useState(false);
  const { id, status, amended, criticalState, finalizedAt, finalizedBy } = report;
  const signer = finalizedBy?.name;
  const moment = formatMoment(finalizedAt);
  return (
    <Notice
      tone={report.hasCriticalFindings ? 'danger' : 'warning'}
      action={
        <Button variant="default" size="compact-xs" onClick={() => setIsShown(true)}>
          {t`Show signed report`}
        </Button>
      }
    >
      <div className={styles.marks}>
        <ReportStatusPill status={status} amended={amended} />
        <CriticalMark state={criticalState} />
        {report.hasCriticalFindings && !criticalState && <strong>{t`Critical findings`}</strong>}
      </div>
      {signer
        ? t`The report signed by ${signer} on ${moment} is valid until this report is finalized.`
        : t`The report signed on ${moment} is valid until this report is finalized.`}
      <Dialog opened={isShown} onClose={() => setIsShown(false)} title={t`Signed report`} size={860}>
        <div className={styles.whole}>
          {slots.notices?.(report)}
          <article className={styles.paper} aria-label={t`Signed report text`}>
            <ReportBody report={report} />
          </article>
          <Button variant="default" renderRoot={(props) => <Link to="/reports" search={{ reportId: id }} {...props} />}>
            {t`Open to amend, share or send`}
          </Button>
        </div>
      </Dialog>
    </Notice>
  );
}
