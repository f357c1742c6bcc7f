import type { ReactNode } from 'react';

/**
 * States of each component: `{ StatusPill: { 'long text': <StatusPill … /> } }`. Each file of the gallery exports one
 * such object.
 */
export type Specimens = Record<string, Record<string, ReactNode>>;
