import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import styles from './command-palette.module.css';
import { KeyCaps } from '#ui/keyboard/key-caps.tsx';
import { markedPieces, type PaletteGroup, type PaletteItem } from './palette-items.ts';
import { commandKey } from './palette-store.ts';
import { rememberItem } from './recent-items.ts';
import { usePinnedItems } from './pinned-items.ts';
import { usePaletteGroups } from './use-palette-groups.ts';

type Props = {
  onClose: () => void;
  /** Screens and actions offered without a search, limited to the user's permissions. */
  commands: readonly PaletteGroup[];
  /** Commands of the open screen, such as those on its study. */
  here: PaletteGroup;
  /** Path of the open page, which is not offered as recent. */
  path: string;
  onGo: (href: string) => void;
};

/** Command palette: finds patients, studies, reports, users, screens and actions by typed text. */
export function CommandPalette({ onClose, commands, here, path, onGo }: Props) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<string>();
  const id = useId();
  const { pinned, toggle } = usePinnedItems();
  const { groups, isSearching, failure } = usePaletteGroups(text, commands, { here, path, pinned });
  const items = groups.flatMap((group) => group.items);
  // Keeps the selected item when arriving results move it. By default, the first item is selected.
  const at = Math.max(
    0,
    items.findIndex((item) => item.id === chosen),
  );
  const current = items[at];
  // Only commands can be pinned, because the browser stores the pins.
  const isPinnable = [here, ...commands].some((group) => group.items.some(({ id: known }) => known === current?.id));
  const pin = () => {
    if (!current || !isPinnable) return;
    setChosen(current.id);
    toggle(current.id);
  };

  const choose = (item: PaletteItem, isElsewhere: boolean) => {
    rememberItem(item);
    onClose();
    if ('run' in item) item.run();
    else if (isElsewhere) window.open(item.href, '_blank', 'noopener');
    else onGo(item.href);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const next = stepTo(event.key, at, items.length);
    if (next !== undefined) {
      event.preventDefault();
      setChosen(items[next]?.id);
      document.getElementById(`${id}-${items[next]?.id}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.altKey && event.code === 'KeyP') {
      event.preventDefault();
      pin();
    } else if (event.key === 'Enter' && current) {
      event.preventDefault();
      choose(current, event.ctrlKey || event.metaKey);
    }
  };

  return (
    <Dialog
      opened
      onClose={onClose}
      title={t`Search and commands`}
      size={640}
      classNames={{ header: 'visually-hidden' }}
    >
      <div className={styles.field}>
        <IconSearch size={17} stroke={1.6} aria-hidden />
        <input
          className={styles.input}
          data-autofocus
          role="combobox"
          aria-label={t`Search patients, studies, reports, screens and actions`}
          aria-expanded={items.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={current && `${id}-${current.id}`}
          placeholder={t`Patient, accession number, screen or action`}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setChosen(undefined);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      {failure && <Notice tone="danger">{failure}</Notice>}
      <div id={`${id}-list`} role="listbox" aria-label={t`Results`} className={styles.list}>
        {groups.map(({ name, items: offered }, index) => (
          <div key={name} role="group" aria-labelledby={`${id}-group-${index}`} className={styles.group}>
            <div id={`${id}-group-${index}`} className={styles.name}>
              {name}
            </div>
            {offered.map((item) => (
              <Option
                key={item.id}
                id={`${id}-${item.id}`}
                item={item}
                typed={text}
                isCurrent={item === current}
                onChoose={(isElsewhere) => choose(item, isElsewhere)}
              />
            ))}
          </div>
        ))}
      </div>
      <p role="status" className={styles.status}>
        {statusOf(items.length, isSearching, failure)}
      </p>
      <p className={styles.keys}>
        {t`↑ ↓ to choose · Enter to open · ${commandKey} Enter in a new tab · Esc to close`}
      </p>
      {current && isPinnable && <PinButton item={current} isPinned={pinned.includes(current.id)} onPin={pin} />}
    </Dialog>
  );
}

/** Pins the selected command or removes its pin. The focus stays in the field. */
function PinButton({ item: { label }, isPinned, onPin }: { item: PaletteItem; isPinned: boolean; onPin: () => void }) {
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      aria-keyshortcuts="Alt+P"
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPin}
      rightSection={<KeyCaps keys="Alt+P" />}
    >
      {isPinned ? t`Unpin “${label}”` : t`Pin “${label}”`}
    </Button>
  );
}

const statusOf = (count: number, isSearching: boolean, failure: string | undefined): string => {
  if (isSearching) return t`Searching…`;
  if (count > 0) return count === 1 ? '1 result' : `${count} results`;
  return failure ? '' : t`No results. Shorten the text, or use an accession number.`;
};

/** Returns the index to which an arrow key leads, continuing at the other end. Undefined for other keys. */
const stepTo = (key: string, at: number, count: number): number | undefined => {
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return (at + 1) % count;
  if (key === 'ArrowUp') return (at + count - 1) % count;
  return undefined;
};

type OptionProps = {
  id: string;
  item: PaletteItem;
  typed: string;
  isCurrent: boolean;
  onChoose: (isElsewhere: boolean) => void;
};

function Option({ id, item, typed, isCurrent, onChoose }: OptionProps) {
  return (
    // The field handles the keys and keeps the focus; options react only to the pointer.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="option"
      aria-selected={isCurrent}
      className={styles.option}
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => onChoose(event.ctrlKey || event.metaKey)}
    >
      <span className={styles.label}>
        <Marked text={item.label} typed={typed} />
      </span>
      {item.detail && (
        <span className={styles.detail}>
          <Marked text={item.detail} typed={typed} />
        </span>
      )}
      {item.keys && (
        <span className={styles.caps} aria-hidden>
          <KeyCaps keys={item.keys} />
        </span>
      )}
    </div>
  );
}

function Marked({ text, typed }: { text: string; typed: string }) {
  return markedPieces(text, typed).map((piece, at) => (at % 2 === 1 ? <mark key={at}>{piece}</mark> : piece));
}
