import { Checkbox, Textarea } from '@mantine/core';
import type { CriticalSeverity } from '@radwork/contract/critical-findings';
import type { Report } from '@radwork/contract/reports';
import { formatMoment } from '#ui/formats.ts';
import { Notice } from '#ui/notice.tsx';
import type { Words } from './report-draft.ts';
import styles from './report-panel.module.css';

/** How soon somebody has to be told (ACR categories 1 to 3). */
export const severityLabels: Record<CriticalSeverity, string> = {
  CRITICAL: 'Critical: within minutes',
  URGENT: 'Urgent: within hours',
  SIGNIFICANT: 'Significant: within days',
};

/** What must not be overlooked in a report, above its text. */
export function CriticalFindings({ report }: { report: Report }) {
  const { criticalFindings, criticalFindingsDetails, hasCriticalFindings } = report;
  if (!hasCriticalFindings) return null;
  return (
    <Notice tone="danger">
      <strong>Critical findings</strong>
      {criticalFindingsDetails && <p>{criticalFindingsDetails}</p>}
      {criticalFindings.length > 0 && (
        <ul className={styles.findings}>
          {criticalFindings.map(({ id, finding, severity, identifiedBy, identifiedDateTime }) => (
            <li key={id}>
              {finding}{' '}
              <span className="muted">
                {severityLabels[severity]}. {identifiedBy.name}, {formatMoment(identifiedDateTime)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

type FlagProps = { words: Words; error: string | undefined; onChange: (part: Partial<Words>) => void };

/** Marks a report while it is written; whoever marks it says what is critical. */
export function CriticalFlag({ words, error, onChange }: FlagProps) {
  return (
    <div className={styles.flag}>
      <Checkbox
        size="xs"
        label="This report has critical findings"
        checked={words.hasCriticalFindings}
        onChange={(event) => onChange({ hasCriticalFindings: event.currentTarget.checked })}
      />
      {words.hasCriticalFindings && (
        <Textarea
          label="Critical findings details"
          withAsterisk
          rows={2}
          maxLength={4000}
          value={words.criticalFindingsDetails}
          error={error}
          onChange={(event) => onChange({ criticalFindingsDetails: event.currentTarget.value })}
        />
      )}
    </div>
  );
}
