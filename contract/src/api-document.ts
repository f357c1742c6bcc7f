import { stream, notAudited } from './core/endpoint.ts';
import type { Noun } from './core/noun.ts';

/** OpenAPI 3.1 document of this server. Any signed-in user may read it, because it contains no patient data. */
export const apiDocument = stream('GET', '/api/openapi.json', 'authenticated', notAudited.noPatient);

export const noun = {
  streams: [apiDocument],
} as const satisfies Noun;
