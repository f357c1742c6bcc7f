export type State = 'ok' | 'warning' | 'wrong';

/** What was looked at, how it is, and what to do where something is to be done. Holds no password and no patient. */
export type Finding = { check: string; state: State; message: string };

export const ok = (check: string, message: string): Finding => ({ check, state: 'ok', message });
export const warning = (check: string, message: string): Finding => ({ check, state: 'warning', message });
export const wrong = (check: string, message: string): Finding => ({ check, state: 'wrong', message });

/** The name that Node, PostgreSQL or TLS has for an error; of several at once the first. */
export const codeOf = (error: unknown): string => {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (!(error instanceof Error)) return 'unknown';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.cause === undefined ? error.name : codeOf(error.cause);
};
