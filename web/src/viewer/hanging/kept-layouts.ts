import { type KeptLayout as KeptOfKind, keptLayout } from '@radwork/contract/kept-layouts';
import { z } from 'zod';
import type { KeptLayout } from './hanging.ts';

/** Saved layouts of the user by kind of study, as cached in this browser. */
export type KeptByKind = Readonly<Record<string, KeptLayout>>;

const remembered = z.object({
  kept: z.record(z.string(), keptLayout.omit({ kind: true })),
  /** Kinds whose layout was saved or deleted here and not yet sent to the server. */
  unsent: z.array(z.string()),
});
export type Remembered = { kept: KeptByKind; unsent: readonly string[] };

/** Name of the browser storage entry. */
export const nameOfKept = (userId: string): string => `viewer-kept.${userId}`;

export const nothingRemembered: Remembered = { kept: {}, unsent: [] };

export const writeRemembered = (all: Remembered): string => JSON.stringify(all);

/** Reads the stored text; returns nothing if it is invalid. */
export const readRemembered = (text: string): Remembered => {
  try {
    return remembered.safeParse(JSON.parse(text)).data ?? nothingRemembered;
  } catch {
    return nothingRemembered;
  }
};

const without = (kept: KeptByKind, kind: string): KeptByKind =>
  Object.fromEntries(Object.entries(kept).filter(([known]) => known !== kind));

/** Saves a layout locally, or deletes it if undefined, and marks it to be sent. */
export const withLayout = ({ kept, unsent }: Remembered, kind: string, layout: KeptLayout | undefined): Remembered => ({
  kept: layout ? { ...kept, [kind]: layout } : without(kept, kind),
  unsent: [...new Set([...unsent, kind])],
});

/** Marks a kind as sent, unless it changed meanwhile; `told` is the layout that was sent. */
export const whenTold = (all: Remembered, kind: string, told: KeptLayout | undefined): Remembered => {
  const isStill = JSON.stringify(all.kept[kind]) === JSON.stringify(told);
  return isStill ? { ...all, unsent: all.unsent.filter((one) => one !== kind) } : all;
};

/** Replaces local layouts by those of the server, except for unsent changes. */
export const withServers = ({ kept, unsent }: Remembered, servers: readonly KeptOfKind[]): Remembered => {
  const theirs = servers
    .filter(({ kind }) => !unsent.includes(kind))
    .map(({ kind, layout, roles }): [string, KeptLayout] => [kind, { layout, roles }]);
  const ours = Object.entries(kept).filter(([kind]) => unsent.includes(kind));
  return { kept: Object.fromEntries([...theirs, ...ours]), unsent };
};
