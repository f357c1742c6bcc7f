import { t } from '@lingui/core/macro';
import { defineCommands } from '#ui/keyboard/commands.ts';

export const shareCommands = defineCommands(t`Report`, {
  share: { id: 'report.share', does: t`Share report`, keys: 'q h', keywords: t`link`, isSerious: true },
});
