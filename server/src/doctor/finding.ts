export type State = 'ok' | 'warning' | 'wrong';

/** The result of a check, with instructions if needed. Contains no password and no patient data. */
export type Finding = { check: string; state: State; message: string };

export const ok = (check: string, message: string): Finding => ({ check, state: 'ok', message });
export const warning = (check: string, message: string): Finding => ({ check, state: 'warning', message });
export const wrong = (check: string, message: string): Finding => ({ check, state: 'wrong', message });

/** Returns the error code of Node, PostgreSQL or TLS. If there are several errors, returns the code of the first. */
export const codeOf = (error: unknown): string => {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (!(error instanceof Error)) return 'unknown';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.cause === undefined ? error.name : codeOf(error.cause);
};
