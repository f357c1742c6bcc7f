/** Outcome of one attempt to send a message. `mayPass`: a later attempt may succeed. */
export type Outcome =
  | { kind: 'sent' }
  | { kind: 'canceled'; error: string }
  | { kind: 'failed'; error: string; mayPass: boolean };

export const sent: Outcome = { kind: 'sent' };
export const canceled = (error: string): Outcome => ({ kind: 'canceled', error });
export const failed = (error: string, mayPass: boolean): Outcome => ({ kind: 'failed', error, mayPass });

/** Whether a retry makes sense after this status: too early, too many requests, or a server error. */
export const isTransientStatus = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || status >= 500;
