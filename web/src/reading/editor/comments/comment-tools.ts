import { t } from '@lingui/core/macro';
import styles from './comment-marks.module.css';

/** Attribute of elements in a commented text that are no part of the text. */
export const extraAttribute = 'data-comment-extra';

export type SuggestionDecision = 'ACCEPTED' | 'REJECTED';

type Tools = {
  /** Number of the comment in the list. */
  number: number;
  author: string;
  onOpen: () => void;
  /** Undefined unless the user may accept and reject this suggestion. */
  onDecide?: ((decision: SuggestionDecision) => void) | undefined;
};

/**
 * Buttons after a commented passage: one that opens the comment, and those that decide a suggestion. Does not use
 * React, because the text around them is not rendered by React.
 */
export const commentTools = ({ number, author, onOpen, onDecide }: Tools): HTMLElement => {
  const tools = document.createElement('span');
  tools.className = styles.tools ?? '';
  tools.contentEditable = 'false';
  tools.setAttribute(extraAttribute, '');
  tools.append(button(String(number), t`Comment ${number} by ${author}`, styles.number, onOpen));
  if (onDecide) {
    tools.append(
      button(t`Accept`, t`Accept suggestion ${number}`, styles.accept, () => onDecide('ACCEPTED')),
      button(t`Reject`, t`Reject suggestion ${number}`, undefined, () => onDecide('REJECTED')),
    );
  }
  return tools;
};

const button = (text: string, label: string, className: string | undefined, run: () => void): HTMLElement => {
  const element = document.createElement('button');
  element.type = 'button';
  element.textContent = text;
  element.className = className ?? '';
  element.setAttribute('aria-label', label);
  // Prevents the click from moving the cursor.
  element.addEventListener('mousedown', (event) => event.preventDefault());
  element.addEventListener('click', run);
  return element;
};

/** Suggested words, shown after the words that they replace. */
export const addedWords = (words: string): HTMLElement => {
  const element = document.createElement('ins');
  element.className = styles.added ?? '';
  element.setAttribute(extraAttribute, '');
  element.textContent = words;
  return element;
};
