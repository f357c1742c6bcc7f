import { stream } from './endpoint.ts';

/** OpenAPI 3.1 document of this server. Any signed-in user may read it, because it contains no data. */
export const apiDocument = stream('GET', '/api/openapi.json', 'authenticated');
