import { z } from 'zod';
import { get } from './endpoint.ts';

export const health = {
  /** The product's name and version, for the start page and the status bar. */
  about: get('/about', { can: 'public', reply: z.object({ name: z.string(), version: z.string() }) }),
};
