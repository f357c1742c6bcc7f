import type { ReactNode } from 'react';

/** States of each component: `{ StatusPill: { 'long text': <StatusPill … /> } }`. Each room exports one such object. */
export type Specimens = Record<string, Record<string, ReactNode>>;
