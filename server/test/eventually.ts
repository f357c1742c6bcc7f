import { vi } from 'vitest';

/** The first result of a check that no longer throws. It has 30 s: a busy machine fails no test. */
export const eventually = <Result>(check: () => Result | Promise<Result>): Promise<Result> => vi.waitFor(check, 30_000);
