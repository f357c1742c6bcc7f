import { onSessionChange } from '#core/state/session.ts';
import type { PaletteItem } from './palette-items.ts';

const most = 5;
type Place = Extract<PaletteItem, { href: string }>;

let recent: Place[] = [];

// Clears the list at sign-out, because it contains patient names. It exists only in the memory of this tab.
onSessionChange(() => {
  recent = [];
});

/** Returns the latest studies and the items that the user opened from the palette, except the open page. */
export const recentItems = (path: string): readonly PaletteItem[] => recent.filter(({ href }) => href !== path);

export const rememberItem = (item: PaletteItem): void => {
  if (!('href' in item)) return;
  recent = [item, ...recent.filter(({ href }) => href !== item.href)].slice(0, most);
};
