import { t } from '@lingui/core/macro';
import { defineCommands } from '#ui/keyboard/commands.ts';

/** Commands of all screens. */
export const screenCommands = defineCommands(t`All screens`, {
  studies: { id: 'screen.studies', does: t`Go to studies`, keys: 'g s' },
  patients: { id: 'screen.patients', does: t`Go to patients`, keys: 'g p' },
  reports: { id: 'screen.reports', does: t`Go to reports`, keys: 'g r' },
  notifications: { id: 'screen.notifications', does: t`Go to notifications`, keys: 'g n' },
  help: { id: 'screen.help', does: t`Show keyboard shortcuts`, keys: '?' },
});
