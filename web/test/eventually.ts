import { vi } from 'vitest';

/** Returns the first result of a check that no longer throws. Waits 20 s, so that a busy machine fails no test. */
export const eventually = <Result>(check: () => Result | Promise<Result>): Promise<Result> => vi.waitFor(check, 20_000);

/** Returns the first truthy result of a check, with the same limit. */
export const until = <Result>(check: () => Result | Promise<Result>) => vi.waitUntil(check, 20_000);
