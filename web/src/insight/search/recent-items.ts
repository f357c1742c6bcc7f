import { onSessionChange } from '#core/state/session.ts';
import type { PaletteItem } from './palette-items.ts';

const most = 5;
type Place = Extract<PaletteItem, { href: string }>;

let recent: Place[] = [];

// Patient names stay in the memory of this tab only, until the user signs out.
onSessionChange(() => {
  recent = [];
});

/** Items opened from the palette, latest first. */
export const recentItems = (): readonly PaletteItem[] => recent;

export const rememberItem = (item: PaletteItem): void => {
  if (!('href' in item)) return;
  recent = [item, ...recent.filter(({ href }) => href !== item.href)].slice(0, most);
};
