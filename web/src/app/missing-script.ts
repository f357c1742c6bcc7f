const words = /dynamically imported module|importing a module script failed/i;

/** Whether an error is what a browser throws when the script of a lazily loaded screen does not arrive. */
export const isMissingScript = (error: unknown): boolean => error instanceof Error && words.test(error.message);
