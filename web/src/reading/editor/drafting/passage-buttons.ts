import { t } from '@lingui/core/macro';
import type { PassageDecision } from '@radwork/contract/reading/drafting';
import styles from './draft-passage.module.css';

type PassageFacts = { number: number; isReplacing: boolean };

/**
 * Label and buttons after an undecided AI passage. Does not use React, because the editor needs the element during its
 * own rendering.
 */
export const passageButtons = (
  { number, isReplacing }: PassageFacts,
  decide: (decision: PassageDecision) => void,
): HTMLElement => {
  const group = document.createElement('span');
  group.className = styles.decision ?? '';
  group.contentEditable = 'false';
  group.setAttribute('role', 'group');
  group.setAttribute('aria-label', t`AI passage ${number}`);
  const label = document.createElement('span');
  label.className = styles.label ?? '';
  label.textContent = t`AI proposal`;
  const reject = () => decide('REJECTED');
  group.append(
    label,
    button(t`Accept`, t`Accept AI passage ${number}`, 'Ctrl Alt Enter', () => decide('ACCEPTED')),
    isReplacing
      ? button(t`Keep mine`, t`Keep mine: reject AI passage ${number}`, 'Ctrl Alt Backspace', reject)
      : button(t`Reject`, t`Reject AI passage ${number}`, 'Ctrl Alt Backspace', reject),
  );
  return group;
};

const button = (text: string, label: string, keys: string, run: () => void): HTMLElement => {
  const buttonElement = document.createElement('button');
  buttonElement.type = 'button';
  buttonElement.textContent = text;
  buttonElement.title = `${text} (${keys})`;
  buttonElement.setAttribute('aria-label', label);
  // Prevents the click from moving the cursor.
  buttonElement.addEventListener('mousedown', (event) => event.preventDefault());
  buttonElement.addEventListener('click', run);
  return buttonElement;
};
