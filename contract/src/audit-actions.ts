import { nouns } from './all.ts';
import { auditGroups } from './core/noun.ts';
import { translatedLabel } from './core/translate.ts';

/**
 * Labels of the audit actions, grouped by subject. The web build replaces this file by its values (without-audit.ts).
 */
export const auditActions: Record<string, Record<string, string>> = Object.fromEntries(
  auditGroups.map((group) => [group, Object.assign({}, ...nouns.map(({ actions }) => actions?.[group]))]),
);

const wordsByAction = new Map(Object.values(auditActions).flatMap((actions) => Object.entries(actions)));

/** Returns the label of an action, or the action itself if it has none. */
export const auditActionWords = (action: string): string => translatedLabel(wordsByAction.get(action) ?? action);
