import { startRounds } from '#core/rounds.ts';
import type { Scopes } from '#core/scope.ts';
import { escalateFindings } from './escalate.ts';

/** Looks every half minute for findings that nobody was told of. Returns how to stop. */
export const startEscalation = (scopes: Scopes, onError: (error: unknown) => void): (() => Promise<void>) =>
  startRounds({ everyMs: 30_000, round: () => escalateFindings(scopes, onError), onError });
