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

type MacroSuggestion = SuggestionProps<EditorMacro, EditorMacro>;

let lists = 0;

const element = (tag: string, className: string | undefined, text = ''): HTMLElement => {
  const created = document.createElement(tag);
  if (className) created.className = className;
  created.textContent = text;
  return created;
};

/** List of macros at the cursor. The cursor stays in the text; keys select a macro. */
export const createMacroList = () => {
  const id = `macros-${++lists}`;
  const list = element('div', styles.list);
  list.id = id;
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', t`Macros`);
  let shownList: MacroSuggestion | undefined;
  let selectedIndex = 0;
  let unmount: (() => void) | undefined;

  const optionOf = (macro: EditorMacro, index: number): HTMLElement => {
    const option = element('div', styles.option);
    option.id = `${id}-${index}`;
    option.setAttribute('role', 'option');
    option.setAttribute('aria-selected', String(index === selectedIndex));
    const words = element('span', styles.words);
    words.append(element('span', styles.name, macro.name), element('span', styles.note, macro.note));
    option.append(element('span', styles.key, macro.abbreviation), words);
    // Uses `mousedown`, because a click would take the focus from the text.
    option.addEventListener('mousedown', (event) => {
      event.preventDefault();
      shownList?.command(macro);
    });
    return option;
  };
  const draw = (next: MacroSuggestion) => {
    shownList = next;
    const { items, editor } = next;
    selectedIndex = Math.min(selectedIndex, Math.max(0, items.length - 1));
    const none = element('div', styles.none, t`No matching macros`);
    list.replaceChildren(...(items.length > 0 ? items.map(optionOf) : [none]));
    list.children[selectedIndex]?.scrollIntoView({ block: 'nearest' });
    editor.view.dom.setAttribute('aria-controls', id);
    if (items.length > 0) editor.view.dom.setAttribute('aria-activedescendant', `${id}-${selectedIndex}`);
    else editor.view.dom.removeAttribute('aria-activedescendant');
  };
  const choose = (step: number) => {
    if (!shownList) return;
    selectedIndex = (selectedIndex + step + shownList.items.length) % shownList.items.length;
    draw(shownList);
  };

  return {
    onStart: (props: MacroSuggestion) => {
      selectedIndex = 0;
      draw(props);
      unmount = props.mount(list);
    },
    onUpdate: (props: MacroSuggestion) => {
      selectedIndex = 0;
      draw(props);
    },
    onKeyDown: ({ event }: SuggestionKeyDownProps): boolean => {
      const macro = shownList?.items[selectedIndex];
      if (!macro) return false;
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') choose(event.key === 'ArrowDown' ? 1 : -1);
      else if (event.key === 'Enter' || event.key === 'Tab') shownList?.command(macro);
      else return false;
      return true;
    },
    onExit: ({ editor }: MacroSuggestion) => {
      unmount?.();
      editor.view.dom.removeAttribute('aria-controls');
      editor.view.dom.removeAttribute('aria-activedescendant');
    },
  };
};
