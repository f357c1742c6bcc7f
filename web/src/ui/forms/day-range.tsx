import { DayInput } from './day-input.tsx';
import styles from './day-range.module.css';

type Day = Omit<Parameters<typeof DayInput>[0], 'value'> & { value: string | undefined };

/** Fields for a range of dates, both included. Either may be empty. */
export function DayRange({ from, to }: { from: Day; to: Day }) {
  return (
    <div className={styles.days}>
      <DayInput {...from} value={from.value ?? ''} />
      <span className={styles.dash} aria-hidden>
        –
      </span>
      <DayInput {...to} value={to.value ?? ''} />
    </div>
  );
}
