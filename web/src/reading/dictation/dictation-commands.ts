import { t } from '@lingui/core/macro';
import { defineCommands } from '#ui/keyboard/commands.ts';

export const dictationCommands = defineCommands(t`Report`, {
  toggle: {
    id: 'dictation.toggle',
    does: t`Start or stop dictation`,
    keys: 'F4',
    keywords: t`speech microphone`,
    worksInText: true,
  },
});
