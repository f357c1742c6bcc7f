import { t } from '@lingui/core/macro';
import { Checkbox, Textarea } from '@mantine/core';
import type { ReportText } from '#reading/reports/autosaves/local-copies.ts';
import styles from './report-panel.module.css';

type FlagProps = {
  words: ReportText;
  /** Whether the text is locked at present. */
  isHeld: boolean;
  error: string | undefined;
  onChange: (part: Partial<ReportText>) => void;
};

/** Checkbox for critical findings, with a field for their details. */
export function CriticalFlag({ words, isHeld, error, onChange }: FlagProps) {
  return (
    <div className={styles.flag}>
      <Checkbox
        size="xs"
        label={t`This report has critical findings`}
        disabled={isHeld}
        checked={words.hasCriticalFindings}
        onChange={(event) => onChange({ hasCriticalFindings: event.currentTarget.checked })}
      />
      {words.hasCriticalFindings && (
        <Textarea
          label={t`Critical findings details`}
          description={t`Signing records a finding of the highest severity and starts its timer, unless a critical finding is already recorded.`}
          withAsterisk
          disabled={isHeld}
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
