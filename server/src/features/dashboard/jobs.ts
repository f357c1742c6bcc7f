import { startRounds } from '#core/rounds.ts';
import type { Scopes } from '#core/scope.ts';
import { type Drift, foldAll } from './fold.ts';

type Hears = { onDrift: (drift: Drift) => void; onError: (error: unknown) => void };

/** Adds up the dashboard's figures every ten seconds. Returns how to stop. */
export const startDashboardRounds = (scopes: Scopes, { onDrift, onError }: Hears): (() => Promise<void>) =>
  startRounds({ everyMs: 10_000, round: () => foldAll(scopes, onDrift, onError), onError });
