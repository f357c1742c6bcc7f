import { t } from '@lingui/core/macro';
import type { KeyboardEvent, MouseEvent } from 'react';
import styles from '#reading/reports/panel/report-panel.module.css';

/** Returns the text field that comes before a control on the page. */
const fieldBefore = (control: Element): HTMLElement | null =>
  control.previousElementSibling?.querySelector<HTMLElement>('[contenteditable="true"], textarea') ?? null;

const isPress = ({ key }: KeyboardEvent): boolean => key === 'Enter' || key === ' ';

/**
 * Takes the focus when a writer presses Tab after the text of a report. Otherwise a writer who keeps typing could
 * toggle the critical checkbox by a space. A typed character goes into the text. Enter, Space and a click return to the
 * text; another Tab moves on (WCAG 2.1.2).
 */
export function ReturnToText() {
  const onKeyDown = (event: KeyboardEvent) => {
    const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!isText && !isPress(event)) return;
    // Enter and Space only return to the text and write nothing.
    if (isPress(event)) event.preventDefault();
    fieldBefore(event.currentTarget)?.focus();
  };
  const onClick = (event: MouseEvent) => fieldBefore(event.currentTarget)?.focus();
  return (
    <button type="button" className={styles.return} onKeyDown={onKeyDown} onClick={onClick}>
      {t`Return to text`}
    </button>
  );
}
