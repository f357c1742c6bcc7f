import { vi } from 'vitest';

/**
 * Waits until a check no longer throws and returns its result. Waits up to 20 s, so that a busy machine does not fail
 * the test.
 */
export const eventually = <Result>(check: () => Result | Promise<Result>): Promise<Result> => vi.waitFor(check, 20_000);

/** Waits until a check returns a truthy result, with the same limit, and returns it. */
export const until = <Result>(check: () => Result | Promise<Result>) => vi.waitUntil(check, 20_000);
