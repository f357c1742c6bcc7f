import type { KeyboardEvent, MouseEvent } from 'react';
import styles from './report-panel.module.css';

/** The field that stands before a control on the page. */
const fieldBefore = (control: Element): HTMLElement | null =>
  control.previousElementSibling?.querySelector<HTMLElement>('[contenteditable="true"], textarea') ?? null;

const isPress = ({ key }: KeyboardEvent): boolean => key === 'Enter' || key === ' ';

/**
 * Takes the Tab after a field of a report, so that a writer who keeps typing meets nothing that acts: the next control
 * flags the report as critical. A character that is typed here goes into the field. Pressing leads back there, and another
 * Tab leads on (WCAG 2.1.2).
 */
export function ReturnToText() {
  const onKeyDown = (event: KeyboardEvent) => {
    const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!isText && !isPress(event)) return;
    // A press writes nothing into the field.
    if (isPress(event)) event.preventDefault();
    fieldBefore(event.currentTarget)?.focus();
  };
  const onClick = (event: MouseEvent) => fieldBefore(event.currentTarget)?.focus();
  return (
    <button type="button" className={styles.return} onKeyDown={onKeyDown} onClick={onClick}>
      Return to text
    </button>
  );
}
