import { type KeptLayout as KeptOfKind, keptLayout } from '@radwork/contract/reading/kept-layouts';
import { z } from 'zod';
import type { SavedLayout } from './hanging.ts';

/** Saved layouts of the user by kind of study, as cached in this browser. */
export type SavedLayouts = Readonly<Record<string, SavedLayout>>;

const remembered = z.object({
  kept: z.record(z.string(), keptLayout.omit({ kind: true })),
  /** Kinds of study whose layout was saved or deleted in this browser, but not on the server yet. */
  unsent: z.array(z.string()),
});
export type CachedLayouts = { kept: SavedLayouts; unsent: readonly string[] };

/** Name of the browser storage entry. */
export const savedLayoutsName = (userId: string): string => `viewer-kept.${userId}`;

export const noCachedLayouts: CachedLayouts = { kept: {}, unsent: [] };

export const serializeCachedLayouts = (all: CachedLayouts): string => JSON.stringify(all);

/** Parses the stored text. Returns an empty result if the text is invalid. */
export const parseCachedLayouts = (text: string): CachedLayouts => {
  try {
    return remembered.safeParse(JSON.parse(text)).data ?? noCachedLayouts;
  } catch {
    return noCachedLayouts;
  }
};

const without = (layouts: SavedLayouts, kind: string): SavedLayouts =>
  Object.fromEntries(Object.entries(layouts).filter(([known]) => known !== kind));

/** Stores a layout in this browser, or deletes it if undefined, and marks the kind of study as unsent. */
export const withLayout = (
  { kept, unsent }: CachedLayouts,
  kind: string,
  layout: SavedLayout | undefined,
): CachedLayouts => ({
  kept: layout ? { ...kept, [kind]: layout } : without(kept, kind),
  unsent: [...new Set([...unsent, kind])],
});

/** Marks a kind of study as sent. `sentLayout` is the layout that was sent; a layout changed meanwhile stays unsent. */
export const withSent = (all: CachedLayouts, kind: string, sentLayout: SavedLayout | undefined): CachedLayouts => {
  const isStill = JSON.stringify(all.kept[kind]) === JSON.stringify(sentLayout);
  return isStill ? { ...all, unsent: all.unsent.filter((one) => one !== kind) } : all;
};

/** Replaces the layouts in this browser by those of the server. Keeps unsent changes. */
export const withServerLayouts = ({ kept, unsent }: CachedLayouts, servers: readonly KeptOfKind[]): CachedLayouts => {
  const serverLayouts = servers
    .filter(({ kind }) => !unsent.includes(kind))
    .map(({ kind, layout, roles }): [string, SavedLayout] => [kind, { layout, roles }]);
  const ours = Object.entries(kept).filter(([kind]) => unsent.includes(kind));
  return { kept: Object.fromEntries([...serverLayouts, ...ours]), unsent };
};
