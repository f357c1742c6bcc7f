import { t } from '@lingui/core/macro';
import type { TemplateField } from '@radwork/contract/reading/template-fields';
import { fieldAttribute } from '@radwork/contract/reading/template-fields-html';
import type { EditorView } from '@tiptap/pm/view';
import { type FieldEntry, optionsOf, type TypedRange } from './field-entry.ts';
import styles from './field-popover.module.css';

let popovers = 0;

const element = (tag: string, className: string | undefined, text = ''): HTMLElement => {
  const created = document.createElement(tag);
  if (className) created.className = className;
  created.textContent = text;
  return created;
};

const rangeText = (field: TemplateField): string => {
  if (field.kind === 'date') return t`Day as 2026-11-30, or T for today`;
  if (field.kind !== 'number') return '';
  const { least, most, unit } = field;
  return least === null || most === null ? unit : `${least} – ${most} ${unit}`.trim();
};

/** Shows the choices of the selected field, or what was typed into it. The cursor stays in the text; keys choose. */
export const createFieldPopover = (onChoose: (option: string) => void) => {
  const id = `field-${++popovers}`;
  const root = element('div', styles.popover);
  const head = element('div', styles.head);
  const list = element('div', styles.list);
  list.id = id;
  list.setAttribute('role', 'listbox');
  const typed = element('div', styles.typed);
  const message = element('div', styles.message);
  for (const part of [typed, message]) part.setAttribute('role', 'status');
  root.append(head, list, typed, message);

  const optionOf = (option: string, at: number, { highlighted, ticked }: FieldEntry): HTMLElement => {
    const row = element('div', styles.option, option);
    row.id = `${id}-${at}`;
    row.setAttribute('role', 'option');
    row.setAttribute('aria-selected', String(ticked.has(option)));
    if (at === highlighted) row.dataset['highlighted'] = '';
    // Uses `mousedown`, because a click would take the focus from the text.
    row.addEventListener('mousedown', (event) => {
      event.preventDefault();
      onChoose(option);
    });
    return row;
  };

  const place = (view: EditorView, from: number) => {
    const { node } = view.domAtPos(from + 1);
    const field = (node instanceof Element ? node : node.parentElement)?.closest(`[${fieldAttribute}]`);
    // The popover scrolls with the text.
    const home = root.offsetParent ?? view.dom.parentElement;
    if (!field || !home) return;
    const [box, frame] = [field.getBoundingClientRect(), home.getBoundingClientRect()];
    const left = Math.min(box.left - frame.left, Math.max(0, frame.width - root.offsetWidth - 8));
    root.style.left = `${Math.max(0, left + home.scrollLeft)}px`;
    root.style.top = `${box.bottom - frame.top + home.scrollTop + 4}px`;
  };

  const hide = (view: EditorView) => {
    if (!root.isConnected) return;
    root.remove();
    view.dom.removeAttribute('aria-controls');
    view.dom.removeAttribute('aria-activedescendant');
  };

  return {
    hide,
    show: (view: EditorView, range: TypedRange, entry: FieldEntry) => {
      const { field } = range;
      const options = optionsOf(field);
      list.setAttribute('aria-label', field.name);
      if (field.kind === 'choice' && field.isMultiple) list.setAttribute('aria-multiselectable', 'true');
      else list.removeAttribute('aria-multiselectable');
      head.textContent = options.length > 0 ? field.name : `${field.name}: ${rangeText(field)}`;
      list.replaceChildren(...options.map((option, at) => optionOf(option, at, entry)));
      list.hidden = options.length === 0;
      typed.textContent = entry.typed;
      typed.hidden = entry.typed === '' || options.length > 0;
      message.textContent = entry.message;
      if (!root.isConnected) view.dom.parentElement?.append(root);
      if (options.length > 0) {
        view.dom.setAttribute('aria-controls', id);
        if (entry.highlighted < 0) view.dom.removeAttribute('aria-activedescendant');
        else view.dom.setAttribute('aria-activedescendant', `${id}-${entry.highlighted}`);
        list.children[entry.highlighted]?.scrollIntoView?.({ block: 'nearest' });
      }
      place(view, range.from);
    },
  };
};
