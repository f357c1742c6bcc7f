import { startRounds } from '#core/rounds.ts';
import type { Scopes } from '#core/scope.ts';
import { tellOverdue } from './overdue.ts';

/** Notifies of overdue assignments every minute. Returns a function that stops it. */
export const startOverdueRounds = (scopes: Scopes, onError: (error: unknown) => void): (() => Promise<void>) =>
  startRounds({ everyMs: 60_000, round: () => tellOverdue(scopes, onError), onError });
