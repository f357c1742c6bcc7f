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

/** Marks the line breaks of suggested words, so that a new or removed paragraph is visible. */
export const withLineMarks = (words: string): string => words.replaceAll('\n', '¶\n');

/** Suggested words, shown after the words that they replace. */
export const addedWords = (words: string): HTMLElement => extra('ins', styles.added, withLineMarks(words));

/** Sign for the end of a line that a suggestion joins with the next, or removes. */
export const removedLineEnd = (): HTMLElement => extra('del', styles.removed, '¶');

const extra = (tag: string, className: string | undefined, text: string): HTMLElement => {
  const element = document.createElement(tag);
  element.className = className ?? '';
  element.setAttribute(extraAttribute, '');
  element.textContent = text;
  return element;
};
