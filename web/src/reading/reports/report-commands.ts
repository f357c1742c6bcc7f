import { t } from '@lingui/core/macro';
import { defineCommands } from '#ui/keyboard/commands.ts';

/** Commands on the report of the open study. */
export const reportCommands = defineCommands(t`Report`, {
  create: { id: 'report.create', does: t`Create report`, keys: 'q e', keywords: t`write dictate` },
  finalize: { id: 'report.finalize', does: t`Finalize report`, keys: 'q f', keywords: t`sign`, isSerious: true },
  issuePreliminary: { id: 'report.issuePreliminary', does: t`Issue preliminary report`, keys: 'q y', isSerious: true },
  requestReview: { id: 'report.requestReview', does: t`Request review`, keys: 'q r', isSerious: true },
  submitReview: {
    id: 'report.submitReview',
    does: t`Submit review`,
    keys: 'q v',
    keywords: t`approve`,
    isSerious: true,
  },
  addAddendum: { id: 'report.addAddendum', does: t`Add addendum`, keys: 'q l', keywords: t`correction` },
});
