import { expect, test } from 'vitest';
import { createWorld } from '#test/world.ts';
import type { ApiDocument, Operation } from './api-document.ts';

const world = await createWorld();
const read = async (): Promise<ApiDocument> => {
  const reader = await world.signIn('RADIOLOGIST');
  return (await reader.request({ method: 'GET', url: '/api/openapi.json' })).json();
};

type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Lists every object in the document at any depth. */
const nodesIn = (value: unknown): Node[] =>
  isNode(value) ? [value, ...Object.values(value).flatMap((inner) => nodesIn(inner))] : [];

const operationsOf = ({ paths }: ApiDocument): [string, Operation][] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, Operation] => [`${method} ${path}`, operation]),
  );

const resolve = (document: ApiDocument, reference: string): unknown =>
  reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((node, key) => (isNode(node) ? node[key] : undefined), document);

test('serves its OpenAPI 3.1 document to signed-in users only', async () => {
  const document = await read();

  expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Radwork', version: expect.any(String) } });
  expect(document.paths['/api/studies/{id}']?.get).toMatchObject({
    'x-access': 'study.view',
    security: [{ session: [] }],
    parameters: [{ name: 'id', in: 'path', required: true }],
  });
  expect((await world.request({ method: 'GET', url: '/api/openapi.json' })).statusCode).toBe(401);
});

test('every reference in the OpenAPI document resolves, and each operation name is unique', async () => {
  const document = await read();
  const references = nodesIn(document).flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []));
  const names = operationsOf(document).map(([, { operationId }]) => operationId);

  expect(references.length).toBeGreaterThan(100);
  expect(references.filter((reference) => resolve(document, reference) === undefined)).toEqual([]);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test('each operation in the document declares its path parameters, its replies and its access', async () => {
  const wrong = operationsOf(await read()).flatMap(([name, { parameters, responses, security, ...rest }]) => {
    const inPath = Array.from(name.matchAll(/\{(\w+)\}/g), ([, parameter]) => parameter);
    const declared = parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name);
    const keys = parameters.map((parameter) => `${String(parameter.in)} ${String(parameter.name)}`);
    const isWhole = parameters.every(
      (parameter) => isNode(parameter.schema) && typeof parameter.required === 'boolean',
    );
    const statuses = Object.keys(responses);
    const isAnswered = statuses.includes('default') && statuses.some((status) => /^20[01]$/.test(status));
    const isPublic = rest['x-access'] === 'public';
    return [
      ...(inPath.join() === declared.join() ? [] : [`${name}: parameters of the path`]),
      ...(isWhole && new Set(keys).size === keys.length ? [] : [`${name}: parameters`]),
      ...(isAnswered ? [] : [`${name}: answers`]),
      ...(isPublic === (security.length === 0) ? [] : [`${name}: security`]),
    ];
  });

  expect(wrong).toEqual([]);
});

test('the document shows the limits of each form and omits the secrets', async () => {
  const { paths } = await read();
  const login = paths['/api/auth/login']?.post;
  const studies = paths['/api/studies']?.get;

  expect(login?.requestBody).toMatchObject({
    required: true,
    content: { 'application/json': { schema: { required: ['username', 'password'] } } },
  });
  expect(studies?.parameters).toContainEqual({
    name: 'page',
    in: 'query',
    required: false,
    schema: { type: 'integer', default: 0, minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  });
});
