import { t } from '@lingui/core/macro';
import { type Shortcut, useShortcuts } from '#ui/shortcuts.ts';
import styles from './key-pointer.module.css';
import { pointerKey, type Pointer, useKeyPointer } from './use-key-pointer.ts';

/** Pointer controlled by keys, on request. */
export function KeyPointer({ element }: { element: HTMLDivElement | undefined }) {
  const { pointer, toggle, keys } = useKeyPointer(element);
  useShortcuts('Pointer', [{ keys: pointerKey, does: 'A pointer that keys lead, or away with it', run: toggle }]);
  return pointer && element && <Led element={element} pointer={pointer} keys={keys} />;
}

type Props = { element: HTMLDivElement; pointer: Pointer; keys: readonly Shortcut[] };

/** Mounted on request, so its keys precede those of the viewer, whose arrows scroll. */
function Led({ element, pointer, keys }: Props) {
  useShortcuts('Pointer', keys);
  const { left, top } = element.getBoundingClientRect();
  const style = { left: left + pointer.x, top: top + pointer.y };
  return (
    <div className={styles.pointer} data-down={pointer.isDown || undefined} style={style} role="status">
      <span className={styles.words}>{pointer.isDown ? 'pressed' : t`Enter presses, arrows lead, Esc puts away`}</span>
    </div>
  );
}
