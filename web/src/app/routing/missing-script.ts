const words = /dynamically imported module|importing a module script failed/i;

/** Detects the error of a browser that could not load the script of a screen. */
export const isMissingScript = (error: unknown): boolean => error instanceof Error && words.test(error.message);
