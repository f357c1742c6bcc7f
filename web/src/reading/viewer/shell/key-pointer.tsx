import { t } from '@lingui/core/macro';
import { type Shortcut, useShortcuts } from '#ui/keyboard/shortcuts.ts';
import styles from './key-pointer.module.css';
import { pointerKey, type Pointer, useKeyPointer } from './use-key-pointer.ts';

/** Pointer over the image, controlled by keys. It appears on request. */
export function KeyPointer({ element }: { element: HTMLDivElement | undefined }) {
  const { pointer, toggle, keys } = useKeyPointer(element);
  useShortcuts(t`Pointer`, [{ keys: pointerKey, does: t`Show or hide the keyboard pointer`, run: toggle }]);
  return pointer && element && <Led element={element} pointer={pointer} keys={keys} />;
}

type Props = { element: HTMLDivElement; pointer: Pointer; keys: readonly Shortcut[] };

/**
 * This is a separate component, mounted on request, so that its arrow keys take precedence over those of the viewer.
 */
function Led({ element, pointer, keys }: Props) {
  useShortcuts(t`Pointer`, keys);
  const { left, top } = element.getBoundingClientRect();
  const style = { left: left + pointer.x, top: top + pointer.y };
  return (
    <div className={styles.pointer} data-down={pointer.isDown || undefined} style={style} role="status">
      <span className={styles.words}>
        {pointer.isDown ? t`pressed` : t`Arrow keys move, Enter presses, Esc closes`}
      </span>
    </div>
  );
}
