const words = /dynamically imported module|importing a module script failed/i;

/** Whether the error means that the browser could not load the script of a screen. */
export const isMissingScript = (error: unknown): boolean => error instanceof Error && words.test(error.message);
