import type { Context } from './context.ts';
import type { Routes } from './http/http.ts';

/** A server that listens. `url` is the database URL of the owner of the tables. */
export type RunningServer = {
  context: Context;
  url: string;
  log: { error: (facts: object, text: string) => void };
};

/** Declares a feature. `features.ts` lists all of them. */
export type Feature = {
  /** The name of the feature's folder. */
  name: string;
  routes: (routes: Routes, context: Context) => void;
  /** Starts the work of the feature outside of calls, once the server listens. Returns a function that stops it. */
  start?: (running: RunningServer) => () => Promise<void>;
};

export const defineFeature = (feature: Feature): Feature => feature;
