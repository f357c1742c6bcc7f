import { t } from '@lingui/core/macro';
import { defineCommands } from '#ui/keyboard/commands.ts';

export const deliveryCommands = defineCommands(t`Report`, {
  send: { id: 'report.send', does: t`Send report`, keys: 'q t', keywords: t`deliver`, isSerious: true },
});
