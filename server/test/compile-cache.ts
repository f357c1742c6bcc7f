import { resolve } from 'node:path';

/**
 * Setting with which Node stores the compiled sources of a process for later ones. A command then starts in half of the
 * CPU time. Sources are compiled again when they change. A killed process stores nothing.
 */
export const compileCache = {
  NODE_COMPILE_CACHE: resolve(import.meta.dirname, '../../node_modules/.cache/radwork-tests'),
};
