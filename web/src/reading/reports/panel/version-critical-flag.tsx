import { t } from '@lingui/core/macro';
import type { ReportVersion } from '@radwork/contract/reading/reports';
import { TextDifference } from '#reading/editor/reading/text-difference.tsx';
import styles from '#reading/reports/history/report-history.module.css';

type FlaggedVersion = Pick<ReportVersion, 'hasCriticalFindings' | 'criticalFindingsDetails'>;

/** Critical findings of a version. Old versions may not have recorded them. */
export function VersionCriticalFlag({ version }: { version: FlaggedVersion }) {
  if (version.hasCriticalFindings === false) return null;
  return (
    <section className={styles.flag}>
      <h4>{t`Critical findings`}</h4>
      <p>{version.criticalFindingsDetails ?? t`The critical finding of this version was not recorded.`}</p>
    </section>
  );
}

/** Difference in critical findings between two versions. Renders nothing if neither version has critical findings. */
export function FlagDifference({ from, to }: { from: FlaggedVersion; to: FlaggedVersion }) {
  if (from.hasCriticalFindings === false && to.hasCriticalFindings === false) return null;
  if (from.hasCriticalFindings === null || to.hasCriticalFindings === null) {
    return (
      <section className={styles.flag}>
        <h4>{t`Critical findings`}</h4>
        <p>{t`The critical finding of the older version was not recorded.`}</p>
        <VersionCriticalFlag version={[from, to].find(({ hasCriticalFindings }) => hasCriticalFindings) ?? unflagged} />
      </section>
    );
  }
  return (
    <section className={styles.flag}>
      <h4>{changeOf(from, to)}</h4>
      <TextDifference before={paragraph(from)} after={paragraph(to)} />
    </section>
  );
}

const unflagged: FlaggedVersion = { hasCriticalFindings: false, criticalFindingsDetails: '' };

const changeOf = (from: FlaggedVersion, to: FlaggedVersion): string => {
  if (!from.hasCriticalFindings) return t`Critical findings: flagged`;
  if (!to.hasCriticalFindings) return t`Critical findings: flag removed`;
  const isSame = from.criticalFindingsDetails === to.criticalFindingsDetails;
  return isSame ? t`Critical findings: unchanged` : t`Critical findings: changed`;
};

/** Returns the details as one HTML paragraph. Escapes markup, because the details are plain text. */
const paragraph = ({ criticalFindingsDetails }: FlaggedVersion): string => {
  const element = document.createElement('p');
  element.textContent = criticalFindingsDetails ?? '';
  return criticalFindingsDetails ? element.outerHTML : '';
};
