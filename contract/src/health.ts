import { z } from 'zod';
import { get } from './endpoint.ts';

export const health = {
  /** The product's name and version, and the address under which people reach it where one is configured. */
  about: get('/about', {
    can: 'public',
    reply: z.object({ name: z.string(), version: z.string(), publicUrl: z.string().nullable() }),
  }),
};
