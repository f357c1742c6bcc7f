import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { CancelButton } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import type { Command } from '#ui/keyboard/command.ts';
import { keysOf, useChangedKeys } from '#ui/keyboard/commands.ts';
import { KeyCaps } from '#ui/keyboard/key-caps.tsx';
import { keyCaps } from '#ui/keyboard/shortcuts.ts';
import { keyConflict } from './key-conflict.ts';
import styles from './keyboard-page.module.css';

type Props = { command: Command | undefined; onClose: () => void };

/** Dialog that records new keys of a command. */
export function ChangeKeysDialog({ command, onClose }: Props) {
  return (
    <Dialog opened={command !== undefined} onClose={onClose} title={t`Change keys`} size={420}>
      {command && <ChangeKeys key={command.id} command={command} onClose={onClose} />}
    </Dialog>
  );
}

const modifiers = new Set(['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'Dead', 'Process']);

function ChangeKeys({ command, onClose }: { command: Command; onClose: () => void }) {
  const { changed, change } = useChangedKeys();
  const [keys, setKeys] = useState('');
  const conflict = keys === '' ? undefined : keyConflict(command, keys, changed);
  const current = keysOf(command, changed);
  const { does } = command;

  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    // These keys keep their meaning in a dialog.
    if (key === 'Tab' || key === 'Escape' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (modifiers.has(key)) return;
    event.preventDefault();
    if (key === 'Enter') return save();
    if (key === 'Backspace') return setKeys('');
    const pressed = key.length === 1 ? key.toLowerCase() : key;
    if (pressed === ' ') return;
    const known = keys.split(' ').filter(Boolean);
    setKeys(known.length === 1 ? `${known[0]} ${pressed}` : pressed);
  };
  const save = () => {
    if (keys === '' || conflict) return;
    change(command, keys);
    onClose();
  };
  return (
    <div className={styles.dialog}>
      <p>{does}</p>
      <div
        role="textbox"
        tabIndex={0}
        data-autofocus
        aria-label={t`New keys`}
        aria-describedby="keys-about"
        className={styles.field}
        onKeyDown={onKeyDown}
      >
        {keys === '' ? <span className="muted">{t`Press one or two keys`}</span> : <KeyCaps keys={keys} />}
      </div>
      <p id="keys-about" className="muted">
        {command.isSerious
          ? t`Two keys, one after the other. They do nothing in text fields. Backspace clears, Enter saves.`
          : t`Backspace clears, Enter saves.`}
      </p>
      <p className="visually-hidden" role="status">
        {keyCaps(keys).join(' ')}
      </p>
      {conflict && <Notice tone="danger">{conflict}</Notice>}
      <div className={styles.buttons}>
        <CancelButton onCancel={onClose} />
        {current !== command.keys && (
          <Button
            variant="default"
            onClick={() => {
              const fault = keyConflict(command, command.keys, changed);
              if (fault) return setKeys(command.keys);
              change(command, command.keys);
              onClose();
            }}
          >
            {t`Reset`}
          </Button>
        )}
        <Button disabled={keys === '' || conflict !== undefined} onClick={save}>
          {t`Save`}
        </Button>
      </div>
    </div>
  );
}
