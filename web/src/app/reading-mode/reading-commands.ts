import { t } from '@lingui/core/macro';
import { defineCommands } from '#ui/keyboard/commands.ts';

/** Commands of the reading mode. */
export const readingCommands = defineCommands(t`Reading`, {
  next: { id: 'reading.next', does: t`Next study`, keys: 'q n', keywords: t`skip`, isSerious: true },
  previous: { id: 'reading.previous', does: t`Previous study`, keys: 'q b', keywords: t`back` },
  defer: { id: 'reading.defer', does: t`Defer study`, keys: 'q d', keywords: t`later postpone`, isSerious: true },
  study: { id: 'reading.study', does: t`Status, assignments and history`, keys: 'q i', keywords: t`drawer workflow` },
  secondWindow: { id: 'reading.secondWindow', does: t`Open images in a second window`, keys: 'q w' },
  stop: { id: 'reading.stop', does: t`Stop reading`, keys: 'q x', keywords: t`leave` },
});
