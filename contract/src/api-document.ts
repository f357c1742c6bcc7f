import { stream } from './endpoint.ts';

/** What this server can be asked, as OpenAPI 3.1; for everybody who is signed in, since it tells of no data. */
export const apiDocument = stream('GET', '/api/openapi.json', 'authenticated');
