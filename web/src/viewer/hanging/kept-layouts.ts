import { type KeptLayout as KeptOfKind, keptLayout } from '@radwork/contract/kept-layouts';
import { z } from 'zod';
import type { KeptLayout } from './hanging.ts';

/** What a reader keeps, by kind of study, as this browser remembers it from the server. */
export type KeptByKind = Readonly<Record<string, KeptLayout>>;

const remembered = z.object({
  kept: z.record(z.string(), keptLayout.omit({ kind: true })),
  /** Kinds whose layout was kept or forgotten here, which the server has not heard yet. */
  unsent: z.array(z.string()),
});
export type Remembered = { kept: KeptByKind; unsent: readonly string[] };

/** Where this browser remembers it. */
export const nameOfKept = (userId: string): string => `viewer-kept.${userId}`;

export const nothingRemembered: Remembered = { kept: {}, unsent: [] };

export const writeRemembered = (all: Remembered): string => JSON.stringify(all);

/** Reads it back, nothing for what is no such text. */
export const readRemembered = (text: string): Remembered => {
  try {
    return remembered.safeParse(JSON.parse(text)).data ?? nothingRemembered;
  } catch {
    return nothingRemembered;
  }
};

const without = (kept: KeptByKind, kind: string): KeptByKind =>
  Object.fromEntries(Object.entries(kept).filter(([known]) => known !== kind));

/** After a layout was kept here, or forgotten where it is undefined; the server is still to be told. */
export const withLayout = ({ kept, unsent }: Remembered, kind: string, layout: KeptLayout | undefined): Remembered => ({
  kept: layout ? { ...kept, [kind]: layout } : without(kept, kind),
  unsent: [...new Set([...unsent, kind])],
});

/** After the server was told how a kind is kept; `told` is what it was told. */
export const whenTold = (all: Remembered, kind: string, told: KeptLayout | undefined): Remembered => {
  const isStill = JSON.stringify(all.kept[kind]) === JSON.stringify(told);
  return isStill ? { ...all, unsent: all.unsent.filter((one) => one !== kind) } : all;
};

/** What the server has takes the place of what is remembered here, but for what it has not heard yet. */
export const withServers = ({ kept, unsent }: Remembered, servers: readonly KeptOfKind[]): Remembered => {
  const theirs = servers
    .filter(({ kind }) => !unsent.includes(kind))
    .map(({ kind, layout, roles }): [string, KeptLayout] => [kind, { layout, roles }]);
  const ours = Object.entries(kept).filter(([kind]) => unsent.includes(kind));
  return { kept: Object.fromEntries([...theirs, ...ours]), unsent };
};
