import { vi } from 'vitest';

/** Returns the first result of a check that no longer throws. It waits 20 s, so that no test fails on a busy machine. */
export const eventually = <Result>(check: () => Result | Promise<Result>): Promise<Result> => vi.waitFor(check, 20_000);

/** The first result of a check that is truthy, with the same limit. */
export const until = <Result>(check: () => Result | Promise<Result>) => vi.waitUntil(check, 20_000);
