import { type ReportWarning, reportWarningLabels } from '@radwork/contract/report-checks';
import { IconAlertTriangle } from '@tabler/icons-react';
import styles from './report-checks.module.css';

type Props = {
  warnings: readonly ReportWarning[];
  /** Leads to the words of a warning; without it they are only quoted. */
  onShow?: ((warning: ReportWarning) => void) | undefined;
};

/** What is doubtful about a report: what kind of doubt, why, and the way to the words. */
export function WarningList({ warnings, onShow }: Props) {
  return (
    <ul className={styles.warnings} aria-label="Remarks">
      {warnings.map((warning) => (
        <li key={`${warning.kind} ${warning.from} ${warning.message}`}>
          <IconAlertTriangle size={15} stroke={1.7} aria-hidden />
          <div>
            <b>{reportWarningLabels[warning.kind]}</b> {warning.message}
          </div>
          {onShow && warning.from !== null && (
            <button
              type="button"
              className={styles.show}
              aria-label={`Show “${warning.quote}”`}
              onClick={() => onShow(warning)}
            >
              Show
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
