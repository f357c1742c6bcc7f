import { t } from '@lingui/core/macro';
import { FocusTrap, Switch } from '@mantine/core';
import { usePreference } from '#core/state/preferences.ts';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { KeyCaps } from './key-caps.tsx';
import styles from './keyboard-help.module.css';
import { type Shortcut, shortcutPreference, shortcutPreferenceName, useShortcutGroups } from './shortcuts.ts';

/** Lists the shortcuts of this screen, followed by the global shortcuts. */
export function KeyboardHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const groups = useShortcutGroups();
  const [letters, setLetters] = usePreference(shortcutPreferenceName, shortcutPreference);
  return (
    <Dialog opened={opened} onClose={onClose} title={t`Keyboard shortcuts`} size={560}>
      <FocusTrap.InitialFocus />
      {groups.map(({ name, shortcuts }) => (
        <section key={name} className={styles.group}>
          <h3>{name}</h3>
          <dl className={styles.keys}>
            {byEffect(shortcuts).map(([does, alternatives]) => (
              <div key={does} className={styles.row}>
                <dt>{does}</dt>
                <dd>
                  {alternatives.map((keys) => (
                    <KeyCaps key={keys} keys={keys} />
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <Switch
        size="xs"
        label={t`Single-letter shortcuts`}
        description={t`Turn off if you use voice commands or often press keys by accident.`}
        checked={letters === 'on'}
        onChange={(event) => setLetters(event.currentTarget.checked ? 'on' : 'off')}
      />
    </Dialog>
  );
}

/** Groups keys by their effect. */
const byEffect = (shortcuts: readonly Shortcut[]): [string, string[]][] => {
  const effects = new Map<string, string[]>();
  for (const { does, keys } of shortcuts) effects.set(does, [...(effects.get(does) ?? []), keys]);
  return [...effects];
};
