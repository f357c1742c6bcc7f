import { t } from '@lingui/core/macro';
import { defineCommands } from '#ui/keyboard/commands.ts';

/** Commands on the open study. */
export const studyCommands = defineCommands(t`Study`, {
  viewer: { id: 'study.viewer', does: t`Open viewer`, keys: 'v', keywords: t`images` },
  secondWindow: { id: 'study.secondWindow', does: t`Open images in a second window`, keys: 'w' },
  details: { id: 'study.details', does: t`Show or hide details`, keys: 'd', keywords: t`metadata audit` },
  edit: {
    id: 'study.edit',
    does: t`Change priority and study data`,
    keys: 'q u',
    keywords: t`edit urgent stat routine`,
  },
  prior: { id: 'study.prior', does: t`Open prior`, keys: 'q p', keywords: t`compare previous` },
  page: { id: 'study.page', does: t`Open study page`, keys: 'q o', keywords: t`details workflow audit` },
});
