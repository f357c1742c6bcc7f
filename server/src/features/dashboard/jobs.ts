import { startRounds } from '#core/rounds.ts';
import type { Scopes } from '#core/scope.ts';
import { type Drift, foldAll } from './fold.ts';

type Hears = { onDrift: (drift: Drift) => void; onError: (error: unknown) => void };

/** Folds the dashboard's figures every ten seconds. Returns a function that stops it. */
export const startDashboardRounds = (scopes: Scopes, { onDrift, onError }: Hears): (() => Promise<void>) =>
  startRounds({ everyMs: 10_000, round: () => foldAll(scopes, onDrift, onError), onError });
