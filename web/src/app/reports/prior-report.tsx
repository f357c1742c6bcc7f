import { t } from '@lingui/core/macro';
import { signerText } from '@radwork/contract/reading/report-parts';
import { reports } from '@radwork/contract/reading/reports';
import { useQuery } from '@tanstack/react-query';
import { query } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';
import { CriticalFindingsNotice } from '#reading/critical-findings/critical-findings-notice.tsx';
import { FollowUpNotice } from '#reading/follow-ups/follow-up-notice.tsx';
import { PeerReviewAction } from '#reading/peer-reviews/peer-review-action.tsx';
import { noReportTitle } from '#reading/reports/panel/no-report-title.ts';
import { StudyMovedNotice } from '#reading/reports/writing/study-moved.tsx';
import { ReportStatusPill } from '#reading/reports/panel/report-status.tsx';
import { AddendaFollow, SignedAddenda } from '#reading/reports/addenda/signed-addenda.tsx';
import { NotAsSigned } from '#reading/reports/signing/signed-block.tsx';
import { ReportText } from '#reading/editor/reading/report-text.tsx';
import { formatMoment } from '#ui/formats/formats.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { SigningRemarks } from '#ui/signing/signing-remarks.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import styles from './prior-report.module.css';

/** Report of a study shown next to another study: the current signed report, or else the newest. */
export function PriorReport({ studyId }: { studyId: string }) {
  const isAllowed = may(reports.ofStudy);
  const reportQuery = useQuery({ ...query(reports.ofStudy, { params: { id: studyId } }), enabled: isAllowed });
  if (!isAllowed) return null;
  if (reportQuery.isPending) return <Skeleton lines={6} label={t`Loading report`} />;
  if (!reportQuery.data) {
    return (
      <ErrorState
        failed={t`Could not load the report`}
        error={reportQuery.error}
        onRetry={() => void reportQuery.refetch()}
      />
    );
  }
  const { report: newest, standing } = reportQuery.data;
  const report = standing ?? newest;
  if (!report) return <p className="muted">{noReportTitle()}</p>;
  const author = report.author.name;
  const moment = formatMoment(report.finalizedAt);
  const signer = report.finalizedBy && signerText(report.finalizedBy);
  const newAuthor = newest?.author.name ?? '';
  return (
    <article className={styles.report} aria-label={t`Report of the prior study`}>
      <header className={styles.head}>
        <h3>{t`Report`}</h3>
        <ReportStatusPill status={report.status} amended={report.amended} />
        <span className={styles.who}>{signer ? t`Signed by ${signer}, ${moment}` : t`By ${author}`}</span>
        <PeerReviewAction report={report} />
      </header>
      {standing && newest && (
        <Notice tone="warning">
          {t`${newAuthor} wrote a newer report that is not signed yet. This report is valid until the newer report is signed.`}
        </Notice>
      )}
      <StudyMovedNotice report={report} />
      {report.isUnchanged === false && <NotAsSigned />}
      <SigningRemarks signed={report} />
      <CriticalFindingsNotice report={report} isWritten={false} />
      <FollowUpNotice report={report} />
      <div className={styles.paper}>
        <AddendaFollow addenda={report.addenda} />
        <ReportText html={report.content} />
        <SignedAddenda addenda={report.addenda} />
      </div>
    </article>
  );
}
