import type { Context } from './context.ts';
import type { Routes } from './http/http.ts';

/** A server that listens. `url` is the database for the owner of the tables. */
export type Running = {
  context: Context;
  url: string;
  log: { error: (facts: object, text: string) => void };
};

/** Declaration of a feature. `features.ts` collects it. */
export type Feature = {
  /** The name of its folder. */
  name: string;
  routes: (routes: Routes, context: Context) => void;
  /** Starts its work outside of calls, once the server listens. Returns the function that stops it. */
  start?: (running: Running) => () => Promise<void>;
};

export const defineFeature = (feature: Feature): Feature => feature;
