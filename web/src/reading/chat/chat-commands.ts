import { t } from '@lingui/core/macro';
import { defineCommands } from '#ui/keyboard/commands.ts';

export const chatCommands = defineCommands(t`Study`, {
  toggle: { id: 'chat.toggle', does: t`Open or close chat`, keys: 'c', keywords: t`message` },
});
