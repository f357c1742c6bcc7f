import { importStateLabel } from './imports/import-state.tsx';
import { t } from '@lingui/core/macro';
import type { ImportJobState } from '@radwork/contract/imaging/import-job-states';
import styles from './remote-archives.module.css';

type Props = {
  states: readonly ImportJobState[];
  current: ImportJobState | undefined;
  onState: (state: ImportJobState | undefined) => void;
};

export function StateFilter({ states, current, onState }: Props) {
  return (
    <div className={styles.states} role="group" aria-label={t`State`}>
      {[undefined, ...states].map((state) => (
        <button key={state ?? 'all'} type="button" aria-pressed={state === current} onClick={() => onState(state)}>
          {state ? importStateLabel(state) : t`All`}
        </button>
      ))}
    </div>
  );
}
