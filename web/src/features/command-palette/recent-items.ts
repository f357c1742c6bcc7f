import { onSessionChange } from '#core/session.ts';
import type { PaletteItem } from './palette-items.ts';

const most = 5;
type Place = Extract<PaletteItem, { href: string }>;

let recent: Place[] = [];

// Names of patients stay in this tab's memory, and there no longer than whoever saw them is signed in.
onSessionChange(() => {
  recent = [];
});

/** What was gone to from the palette, the latest first. */
export const recentItems = (): readonly PaletteItem[] => recent;

export const noteRecent = (item: PaletteItem): void => {
  if (!('href' in item)) return;
  recent = [item, ...recent.filter(({ href }) => href !== item.href)].slice(0, most);
};
