import { t } from '@lingui/core/macro';
import type { SuggestionKeyDownProps, SuggestionProps } from '@tiptap/suggestion';
import styles from './macro-list.module.css';

/** Macro as the editor needs it. */
export type EditorMacro = {
  abbreviation: string;
  name: string;
  text: string;
  /** Note in the list: the owner of the macro, and whether it replaces a shared macro. */
  note: string;
};

type Shown = SuggestionProps<EditorMacro, EditorMacro>;

let lists = 0;

const element = (tag: string, className: string | undefined, text = ''): HTMLElement => {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.textContent = text;
  return made;
};

/** List of macros at the cursor. The cursor stays in the text; keys select a macro. */
export const createMacroList = () => {
  const id = `macros-${++lists}`;
  const list = element('div', styles.list);
  list.id = id;
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', t`Macros`);
  let shown: Shown | undefined;
  let chosen = 0;
  let unmount: (() => void) | undefined;

  const optionOf = (macro: EditorMacro, index: number): HTMLElement => {
    const option = element('div', styles.option);
    option.id = `${id}-${index}`;
    option.setAttribute('role', 'option');
    option.setAttribute('aria-selected', String(index === chosen));
    const words = element('span', styles.words);
    words.append(element('span', styles.name, macro.name), element('span', styles.note, macro.note));
    option.append(element('span', styles.key, macro.abbreviation), words);
    // Uses `mousedown`, because a click would take the focus from the text.
    option.addEventListener('mousedown', (event) => {
      event.preventDefault();
      shown?.command(macro);
    });
    return option;
  };
  const draw = (next: Shown) => {
    shown = next;
    const { items, editor } = next;
    chosen = Math.min(chosen, Math.max(0, items.length - 1));
    const none = element('div', styles.none, t`No matching macros`);
    list.replaceChildren(...(items.length > 0 ? items.map(optionOf) : [none]));
    list.children[chosen]?.scrollIntoView({ block: 'nearest' });
    editor.view.dom.setAttribute('aria-controls', id);
    if (items.length > 0) editor.view.dom.setAttribute('aria-activedescendant', `${id}-${chosen}`);
    else editor.view.dom.removeAttribute('aria-activedescendant');
  };
  const choose = (step: number) => {
    if (!shown) return;
    chosen = (chosen + step + shown.items.length) % shown.items.length;
    draw(shown);
  };

  return {
    onStart: (props: Shown) => {
      chosen = 0;
      draw(props);
      unmount = props.mount(list);
    },
    onUpdate: (props: Shown) => {
      chosen = 0;
      draw(props);
    },
    onKeyDown: ({ event }: SuggestionKeyDownProps): boolean => {
      const macro = shown?.items[chosen];
      if (!macro) return false;
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') choose(event.key === 'ArrowDown' ? 1 : -1);
      else if (event.key === 'Enter' || event.key === 'Tab') shown?.command(macro);
      else return false;
      return true;
    },
    onExit: ({ editor }: Shown) => {
      unmount?.();
      editor.view.dom.removeAttribute('aria-controls');
      editor.view.dom.removeAttribute('aria-activedescendant');
    },
  };
};
