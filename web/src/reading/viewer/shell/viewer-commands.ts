import { t } from '@lingui/core/macro';
import { defineCommands } from '#ui/keyboard/commands.ts';

/**
 * Commands that viewers share with the study page. The viewer does not know the study page, so both define the command
 * with the same ID, and the user changes its keys once.
 */
export const viewerCommands = defineCommands(t`Study`, {
  prior: { id: 'study.prior', does: t`Open prior`, keys: 'q p', keywords: t`compare previous` },
});
