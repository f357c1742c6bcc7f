import { t } from '@lingui/core/macro';
import styles from './pane-switch.module.css';

type Props<Name> = {
  panes: readonly (readonly [name: Name, label: string])[];
  current: Name;
  onPane: (name: Name) => void;
};

/** Chooses the visible pane on a screen that is too narrow for all panes. */
export function PaneSwitch<Name extends string>({ panes, current, onPane }: Props<Name>) {
  return (
    <div className={styles.switch} role="group" aria-label={t`Panes`}>
      {panes.map(([name, label]) => (
        <button key={name} type="button" data-name={name} aria-pressed={name === current} onClick={() => onPane(name)}>
          {label}
        </button>
      ))}
    </div>
  );
}
