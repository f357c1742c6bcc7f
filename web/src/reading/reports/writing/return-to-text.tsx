import { t } from '@lingui/core/macro';
import type { KeyboardEvent, MouseEvent } from 'react';
import styles from '#reading/reports/panel/report-panel.module.css';

/** The field before a control on the page. */
const fieldBefore = (control: Element): HTMLElement | null =>
  control.previousElementSibling?.querySelector<HTMLElement>('[contenteditable="true"], textarea') ?? null;

const isPress = ({ key }: KeyboardEvent): boolean => key === 'Enter' || key === ' ';

/**
 * Takes the keyboard focus after a field of a report. Otherwise a writer who presses Tab and keeps typing would reach
 * the checkbox that marks the report as critical. A character typed here goes into the field. Enter, Space and a click
 * lead back there; another Tab moves on (WCAG 2.1.2).
 */
export function ReturnToText() {
  const onKeyDown = (event: KeyboardEvent) => {
    const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!isText && !isPress(event)) return;
    // Enter and Space write nothing into the field.
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
