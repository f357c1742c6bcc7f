import { vi } from 'vitest';

/**
 * Returns the first result of a check that does not throw. Waits up to 30 s, so that no test fails on a busy machine.
 */
export const eventually = <Result>(check: () => Result | Promise<Result>): Promise<Result> => vi.waitFor(check, 30_000);

/** Returns the first truthy result of a check, with the same limit. */
export const until = <Result>(check: () => Result | Promise<Result>) => vi.waitUntil(check, 30_000);
