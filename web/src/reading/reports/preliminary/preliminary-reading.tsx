import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import type { PreliminaryReport } from '@radwork/contract/reading/preliminary-reports';
import desk from '#reading/editor/desk.module.css';
import { ReportText } from '#reading/editor/reading/report-text.tsx';
import styles from '#reading/reports/panel/report-panel.module.css';
import { usePreliminaryPdf } from './use-preliminary-pdf.ts';
import { StatusPill } from '#ui/marks/status-pill.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import { issuedText } from './preliminary-notice.tsx';

/** The preliminary report of a study, for users who see no drafts. */
export function PreliminaryReading({ preliminary }: { preliminary: PreliminaryReport }) {
  const pdf = usePreliminaryPdf(preliminary.reportId);
  return (
    <div className={styles.panel}>
      <header className={styles.head}>
        <h2>{t`Report`}</h2>
        <StatusPill tone="warning" shape="ring" label={t`Preliminary`} />
        <div className={styles.actions}>
          <Button variant="default" loading={pdf.isPending} onClick={() => pdf.mutate()}>
            {t`Open PDF`}
          </Button>
        </div>
      </header>
      <div className={styles.notices}>
        <Notice tone="warning">
          {issuedText(preliminary)} {t`It is not signed and may change.`}
        </Notice>
        {preliminary.criticalFindingsDetails !== '' && (
          <Notice tone="danger">{preliminary.criticalFindingsDetails}</Notice>
        )}
      </div>
      {/* Makes a long report focusable, so that the keyboard can scroll it. */}
      <div className={desk.desk} tabIndex={0}>
        <article className={desk.paper} aria-label={t`Preliminary report text`}>
          <ReportText html={preliminary.content} />
        </article>
      </div>
    </div>
  );
}

/** Notice above a signed report that a newer report of the study has a preliminary text. */
export function NewerPreliminary({ preliminary }: { preliminary: PreliminaryReport }) {
  const pdf = usePreliminaryPdf(preliminary.reportId);
  return (
    <Notice tone="warning">
      {t`A newer report of this study is not signed yet.`} {issuedText(preliminary)}{' '}
      <Button size="compact-xs" variant="default" loading={pdf.isPending} onClick={() => pdf.mutate()}>
        {t`Open PDF`}
      </Button>
    </Notice>
  );
}
