import { t } from '@lingui/core/macro';
import { defineCommands } from '#ui/keyboard/commands.ts';

export const findingCommands = defineCommands(t`Report`, {
  add: { id: 'finding.add', does: t`Add critical finding`, keys: 'q c', keywords: t`urgent flag`, isSerious: true },
});
