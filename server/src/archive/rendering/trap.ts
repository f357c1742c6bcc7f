/** Whether a decoder has failed in a way that leaves it broken: a trap of WebAssembly, or no proper error at all. */
export const isTrap = (error: unknown): boolean => !(error instanceof Error) || error.name === 'RuntimeError';
