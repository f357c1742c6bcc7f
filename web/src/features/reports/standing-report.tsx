import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import type { Report } from '@radwork/contract/reports';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CriticalMark } from '#ui/critical-mark.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { formatMoment } from '#ui/formats.ts';
import { Notice } from '#ui/notice.tsx';
import { ReportBody } from './report-body.tsx';
import type { ReportSlots } from './report-slots.ts';
import { ReportStatusPill } from './report-status.tsx';
import styles from './standing-report.module.css';

type Props = { report: Report; slots: ReportSlots };

/**
 * Link to the signed report of the study, shown with a report that is not signed yet. The signed one applies until
 * then.
 */
export function StandingReport({ report, slots }: Props) {
  const [isShown, setIsShown] = useState(false);
  const { id, status, amended, criticalState, finalizedAt, finalizedBy } = report;
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
      {t`The report that`} {finalizedBy?.name ?? 'somebody'}{' '}
      <Trans>signed on {formatMoment(finalizedAt)} stands until this one is finalized.</Trans>
      <Dialog opened={isShown} onClose={() => setIsShown(false)} title={t`Signed report`} size={860}>
        <div className={styles.whole}>
          {slots.notices?.(report)}
          <article className={styles.paper} aria-label={t`Signed report text`}>
            <ReportBody report={report} />
          </article>
          <Button variant="default" renderRoot={(props) => <Link to="/reports" search={{ reportId: id }} {...props} />}>
            {t`Open it, to add to it, share or send it`}
          </Button>
        </div>
      </Dialog>
    </Notice>
  );
}
