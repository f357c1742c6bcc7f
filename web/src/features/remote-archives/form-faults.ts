import { ApiError } from '#core/api.ts';

/** What the server found wrong with single fields, by field. */
export const faultsIn = (error: unknown): Record<string, string> => (error instanceof ApiError ? error.fields : {});

/** Whether a refusal is told at the fields, so that the form need not repeat it. */
export const isAtFields = (error: unknown): boolean => Object.keys(faultsIn(error)).length > 0;
