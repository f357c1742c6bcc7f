import { plural, t } from '@lingui/core/macro';
import { severityLabels } from '@radwork/contract/reading/critical-finding-states';
import { byHarm, type ReportWarning, reportWarningLabels } from '@radwork/contract/reading/report-checks';
import { CloseButton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './report-checks.module.css';

type Show = ((warning: ReportWarning) => void) | undefined;

type Props = {
  warnings: readonly ReportWarning[];
  /** Selects the words of a warning. Without this function, the words are only quoted. */
  onShow?: Show;
  /** Hides a warning. Without this function, warnings cannot be dismissed. */
  onDismiss?: (warning: ReportWarning) => void;
  /** Puts other words in the place of the words of a warning. */
  onReplace?: (warning: ReportWarning, words: string) => void;
};

const labelOf = ({ kind, severity }: ReportWarning): string =>
  severity ? `${reportWarningLabels[kind]} (${severityLabels[severity]})` : reportWarningLabels[kind];

const keyOf = ({ kind, from, message }: ReportWarning) => `${kind} ${from} ${message}`;

/**
 * Lists warnings, the most harmful first, each with kind, reason and a link to its words. Unfilled fields share one
 * row, because their number could hide other warnings.
 */
export function WarningList({ warnings, onShow, onDismiss, onReplace }: Props) {
  const places = warnings.filter(({ kind }) => kind === 'PLACEHOLDER');
  const count = places.length;
  const isFolded = count > 1;
  const rows = byHarm(warnings).filter(({ kind }) => !isFolded || kind !== 'PLACEHOLDER');
  return (
    <ul className={styles.warnings} aria-label={t`Warnings`}>
      {rows.map((warning) => (
        <Row
          key={keyOf(warning)}
          label={labelOf(warning)}
          action={
            <span>
              {onReplace && <Replace warning={warning} onReplace={onReplace} />}
              {onShow && <ShowWords warning={warning} onShow={onShow} />}
            </span>
          }
          onDismiss={onDismiss && (() => onDismiss(warning))}
        >
          {warning.message}
        </Row>
      ))}
      {isFolded && (
        <Row label={reportWarningLabels.PLACEHOLDER}>
          {t`${plural(count, { one: '# field:', other: '# fields:' })}`}
          <ul className={styles.places} aria-label={t`Unfilled fields`}>
            {places.map((place) => (
              <li key={keyOf(place)}>
                <PlaceToFill place={place} onShow={onShow} />
              </li>
            ))}
          </ul>
        </Row>
      )}
    </ul>
  );
}

type RowProps = { label: string; action?: ReactNode; onDismiss?: (() => void) | undefined; children: ReactNode };

function Row({ label, action, onDismiss, children }: RowProps) {
  return (
    <li className={styles.warning}>
      <IconAlertTriangle size={15} stroke={1.7} aria-hidden />
      <div>
        <b>{label}</b> {children}
      </div>
      {action}
      {onDismiss && <CloseButton size={22} aria-label={t`Dismiss ${label}`} onClick={onDismiss} />}
    </li>
  );
}

function ShowWords({ warning, onShow }: { warning: ReportWarning; onShow: NonNullable<Show> }) {
  const { quote } = warning;
  if (warning.from === null) return null;
  return (
    <button type="button" className={styles.show} aria-label={t`Show “${quote}”`} onClick={() => onShow(warning)}>
      {t`Show`}
    </button>
  );
}

function Replace({ warning, onReplace }: { warning: ReportWarning; onReplace: NonNullable<Props['onReplace']> }) {
  const { offer, quote } = warning;
  if (offer === undefined) return null;
  return (
    <button
      type="button"
      className={styles.show}
      aria-label={t`Replace “${quote}” with ${offer}`}
      onClick={() => onReplace(warning, offer)}
    >
      {t`Use ${offer}`}
    </button>
  );
}

function PlaceToFill({ place, onShow }: { place: ReportWarning; onShow: Show }) {
  const words = place.about === '' ? place.quote : `${place.about}: ${place.quote}`;
  if (!onShow) return <span className={styles.place}>{words}</span>;
  return (
    <button
      type="button"
      className={`${styles.show} ${styles.place}`}
      title={words}
      aria-label={t`Show “${words}”`}
      onClick={() => onShow(place)}
    >
      {words}
    </button>
  );
}
