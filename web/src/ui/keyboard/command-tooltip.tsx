import { Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Command } from './command.ts';
import { useKeysOf, withKeys } from './commands.ts';

/** Tooltip of a button with the name and the keys of its command. */
export function CommandTooltip({ command, children }: { command: Command; children: ReactElement }) {
  const keysFor = useKeysOf();
  return <Tooltip label={withKeys(command.does, keysFor(command))}>{children}</Tooltip>;
}
