import type { Endpoint } from '@radwork/contract/core/endpoint';
import { failure } from '@radwork/contract/core/failure';
import { z } from 'zod';
import { version } from '#core/values/version.ts';

/** An endpoint with its full URL in Fastify's notation. */
export type ServedCall = Pick<
  Endpoint,
  'can' | 'method' | 'query' | 'body' | 'reply' | 'successStatus' | 'upload' | 'isPlainText'
> & { url: string; isStream: boolean };

type JsonObject = Record<string, unknown>;

/** One operation of the document. `x-access` is the permission that the caller needs. */
export type Operation = {
  operationId: string;
  tags: string[];
  parameters: JsonObject[];
  responses: Record<string, JsonObject>;
  security: Record<string, string[]>[];
  'x-access': string;
  requestBody?: JsonObject;
};

export type ApiDocument = JsonObject & { paths: Record<string, Record<string, Operation>> };

/** Converts a Fastify path to OpenAPI: "/api/studies/:id" becomes "/api/studies/{id}", and a star becomes "{rest}". */
export const documentPath = (url: string): string => url.replaceAll(/:(\w+)/g, '{$1}').replace('*', '{rest}');

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): JsonObject => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
};

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

const operationIdOf = ({ method, url }: ServedCall): string =>
  method.toLowerCase() +
  url
    .replaceAll(/:(\w+)/g, (_, name: string) => `by-${name}`)
    .replace('*', 'rest')
    .split(/[^A-Za-z\d]+/)
    .map(capitalized)
    .join('');

const pathParameters = (url: string): JsonObject[] =>
  Array.from(documentPath(url).matchAll(/\{(\w+)\}/g), ([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

const queryParameters = (query: z.ZodType | undefined): JsonObject[] => {
  if (!query) return [];
  const { properties = {}, required = [] } = schemaOf(query, 'input') as {
    properties?: Record<string, JsonObject>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
};

/** The envelope of every reply that is not a byte stream. */
const envelopeOf = (reply: z.ZodType | undefined): JsonObject => ({
  type: 'object',
  properties: {
    code: { const: 200 },
    message: { type: 'string' },
    data: reply ? schemaOf(reply, 'output') : { type: 'null' },
  },
  required: ['code', 'message', 'data'],
});

const successOf = ({ isStream, isPlainText, reply }: ServedCall): JsonObject => {
  if (isStream) return { description: 'The requested bytes or document' };
  const json = { 'application/json': { schema: envelopeOf(reply) } };
  const text = isPlainText && { 'text/plain': { schema: { type: 'string' } } };
  return { description: 'Done', content: { ...json, ...text } };
};

const securityOf = ({ can, url }: ServedCall): Record<string, string[]>[] => {
  if (can === 'public') return [];
  return url.startsWith('/dicom-web/') ? [{ session: [] }, { password: [] }] : [{ session: [] }];
};

/** The request body as JSON. Upload endpoints also accept the body in a form with files. */
const bodyOf = ({ body, isStream, method, upload }: ServedCall): { requestBody?: JsonObject } => {
  if (!body) return isStream && method === 'POST' ? { requestBody: { content: { '*/*': {} } } } : {};
  const json = { schema: schemaOf(body, 'input') };
  const file = { type: 'array', items: { type: 'string', contentMediaType: 'application/octet-stream' } };
  const form = upload && {
    schema: {
      type: 'object',
      properties: { [upload.part]: json.schema, ...Object.fromEntries(upload.files.map((name) => [name, file])) },
      required: [upload.part],
    },
    encoding: { [upload.part]: { contentType: 'application/json' } },
  };
  const content = { 'application/json': json, ...(form && { 'multipart/form-data': form }) };
  return { requestBody: { required: true, content } };
};

const operationOf = (call: ServedCall): Operation => ({
  operationId: operationIdOf(call),
  tags: [call.url.replace(/^\/api\//, '/').split('/')[1] ?? ''],
  'x-access': call.can,
  security: securityOf(call),
  parameters: [...pathParameters(call.url), ...queryParameters(call.query)],
  ...bodyOf(call),
  responses: {
    [String(call.successStatus ?? 200)]: successOf(call),
    default: { $ref: '#/components/responses/Failure' },
  },
});

/** Builds the OpenAPI 3.1 document of the server. */
export const apiDocumentOf = (served: readonly ServedCall[]): ApiDocument => {
  const paths: ApiDocument['paths'] = {};
  for (const call of served) {
    const path = documentPath(call.url);
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operationOf(call) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Radwork', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    paths,
    components: {
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', description: 'The token returned by sign-in' },
        password: { type: 'http', scheme: 'basic', description: 'For DICOMweb software without support for tokens' },
      },
      schemas: { Failure: schemaOf(failure, 'output') },
      responses: {
        Failure: {
          description: 'Refused or failed; `error` is a stable name, `message` is a text for users',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
        },
      },
    },
  };
};
