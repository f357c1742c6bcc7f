import type { FastifyBaseLogger } from 'fastify';
import type { CheckResult } from './service.ts';

/** Logs a check once when it fails, and once when it succeeds again. */
export const createChangeLog = () => {
  const faults = new Set<string>();
  return (checks: readonly CheckResult[], log: Pick<FastifyBaseLogger, 'error' | 'warn'>): void => {
    for (const { name, isOk, message, error } of checks) {
      if (isOk === !faults.has(name)) continue;
      if (isOk) {
        faults.delete(name);
        log.warn({ check: name }, message);
      } else {
        faults.add(name);
        log.error({ check: name, ...(error !== undefined && { err: error }) }, message);
      }
    }
  };
};
