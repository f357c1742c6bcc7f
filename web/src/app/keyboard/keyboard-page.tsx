import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { confirm } from '#ui/dialogs/confirm.tsx';
import type { Command } from '#ui/keyboard/command.ts';
import { keysOf, useChangedKeys } from '#ui/keyboard/commands.ts';
import { KeyCaps } from '#ui/keyboard/key-caps.tsx';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { commandGroups } from './all-commands.ts';
import { ChangeKeysDialog } from './change-keys-dialog.tsx';
import styles from './keyboard-page.module.css';

/** Screen /keyboard: the keys of all commands. This browser remembers the changes of each user. */
export function KeyboardPage() {
  const { changed, resetAll } = useChangedKeys();
  const [edited, setEdited] = useState<Command>();
  const reset = async () => {
    const agreed = await confirm({
      question: t`Reset all keys?`,
      consequence: t`All commands get their default keys again. Your own keys are lost.`,
      verb: t`Reset keys`,
    });
    if (agreed) resetAll();
  };
  return (
    <>
      <ScreenTitle
        title={t`Keyboard`}
        actions={
          <Button variant="default" disabled={Object.keys(changed).length === 0} onClick={() => void reset()}>
            {t`Reset keys`}
          </Button>
        }
      />
      <div className={styles.screen}>
        <p className="muted">
          {t`This browser remembers your keys. Commands that claim, sign, send or flag need two keys. Image tools have fixed keys.`}
        </p>
        {commandGroups().map(({ name, commands }) => (
          <section key={name} className={styles.group} aria-label={name}>
            <h2>{name}</h2>
            <table className={styles.table}>
              <thead>
                <tr>
                  <th scope="col">{t`Command`}</th>
                  <th scope="col">{t`Keys`}</th>
                  <th scope="col">
                    <span className="visually-hidden">{t`Change keys`}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {commands.map((command) => (
                  <CommandRow
                    key={command.id}
                    command={command}
                    isChanged={command.id in changed}
                    onEdit={() => setEdited(command)}
                  />
                ))}
              </tbody>
            </table>
          </section>
        ))}
        <ChangeKeysDialog command={edited} onClose={() => setEdited(undefined)} />
      </div>
    </>
  );
}

type RowProps = { command: Command; isChanged: boolean; onEdit: () => void };

function CommandRow({ command, isChanged, onEdit }: RowProps) {
  const { does } = command;
  return (
    <tr>
      <td>{does}</td>
      <td>
        <KeyCaps keys={keysOf(command)} />
        {isChanged && <span className={styles.changed}>{t`changed`}</span>}
      </td>
      <td>
        <Button size="compact-xs" variant="default" aria-label={t`Change keys: ${does}`} onClick={onEdit}>
          {t`Change`}
        </Button>
      </td>
    </tr>
  );
}
