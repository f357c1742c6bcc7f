import type { CreatedResource } from '#reading/report-delivery/store-report.ts';
import { FhirError, fieldOf, outcomeText, textIn } from './fhir-error.ts';
import { type FhirServer, noFhir } from './fhir-server.ts';
import { queryFor } from './identifiers.ts';
import { type ReportFacts, resourcesOf, type SentResource } from './resources.ts';
import { transactionOf } from './transaction.ts';

/**
 * Sends a report in one transaction, or one resource after another if the server has no transactions. Returns the
 * resources when the server has accepted all of them. Throws a FhirError.
 */
export const sendResources = async (server: FhirServer, facts: ReportFacts): Promise<CreatedResource[]> => {
  const created = (await knowsTransactions(server))
    ? await sendTogether(server, facts)
    : await sendOneByOne(server, facts);
  return created.map(({ type, id }) => ({ type, id: server.hide(id) }));
};

/** Reads the CapabilityStatement. A server that lists no interactions is treated as if it supports all. */
const knowsTransactions = async (server: FhirServer): Promise<boolean> => {
  const { body } = await server.ask('metadata');
  if (fieldOf(body, 'resourceType') !== 'CapabilityStatement')
    throw noFhir('The metadata is not a CapabilityStatement');
  const interactions = listOf(fieldOf(body, 'rest')).flatMap((rest) => listOf(fieldOf(rest, 'interaction')));
  return (
    interactions.length === 0 || interactions.some((interaction) => fieldOf(interaction, 'code') === 'transaction')
  );
};

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const sendTogether = async (server: FhirServer, facts: ReportFacts): Promise<CreatedResource[]> => {
  const bundle = transactionOf(facts);
  const { body } = await server.ask('', { method: 'POST', resource: bundle });
  const entries = listOf(fieldOf(body, 'entry'));
  const requests = bundle.entry ?? [];
  if (fieldOf(body, 'type') !== 'transaction-response' || entries.length !== requests.length) {
    throw noFhir('The answer does not cover every resource of the transaction');
  }
  return requests.map(({ resource }, index) =>
    madeOf(server, resource?.resourceType ?? '', fieldOf(entries[index], 'response')),
  );
};

/** Returns the result of one entry of a transaction. Throws a FhirError when the entry was refused. */
const madeOf = ({ hide }: FhirServer, type: string, response: unknown): CreatedResource => {
  const status = textIn(response, 'status');
  if (!status.startsWith('2')) {
    const words = outcomeText(fieldOf(response, 'outcome'), hide);
    throw new FhirError(
      `The FHIR server rejected the ${type} (${hide(status).slice(0, 80)})${words && `: ${words}`}`,
      false,
    );
  }
  return { type, id: idIn(textIn(response, 'location'), type) };
};

/** Returns the ID from "https://server/fhir/Patient/17/_history/1". Empty when missing. */
const idIn = (location: string, type: string): string =>
  new RegExp(`(?:^|/)${type}/([A-Za-z0-9.-]{1,64})`).exec(location)?.[1] ?? '';

/** Sends resources in the order of their references. Looks for an existing resource by identifier first. */
const sendOneByOne = async (server: FhirServer, facts: ReportFacts): Promise<CreatedResource[]> => {
  const ids = new Map<string, CreatedResource>();
  const keys = resourcesOf(facts, () => ({})).map(({ key }) => key);
  for (const key of keys) {
    const reference = (to: string) => ({ reference: `${ids.get(to)?.type}/${ids.get(to)?.id}` });
    const sent = resourcesOf(facts, reference).find((resource) => resource.key === key);
    if (sent) ids.set(key, await sendOne(server, sent));
  }
  return [...ids.values()];
};

const sendOne = async (
  server: FhirServer,
  { resource, identifier, isOurs }: SentResource,
): Promise<CreatedResource> => {
  const { resourceType: type } = resource;
  const query = queryFor(identifier);
  const known = await idsFound(server, type, query);
  if (known.length > 1)
    throw new FhirError(`The FHIR server has several ${type} resources with the same identifier`, false);
  const [id] = known;
  if (id !== undefined && isOurs) {
    await server.ask(`${type}/${id}`, { method: 'PUT', resource: { ...resource, id } });
  }
  if (id !== undefined) return { type, id };
  // If another system has created the resource in the meantime, the server returns that resource.
  const headers = { 'if-none-exist': query, prefer: 'return=representation' };
  const { body, location } = await server.ask(type, { method: 'POST', headers, resource });
  const resourceId = idIn(location, type) || textIn(body, 'id');
  if (resourceId === '') throw noFhir(`The answer does not name the created ${type}`);
  return { type, id: resourceId };
};

/** Returns the IDs of resources with an identifier. Two are enough to see that it is ambiguous. */
const idsFound = async (server: FhirServer, type: string, query: string): Promise<string[]> => {
  const { body } = await server.ask(`${type}?${query}&_count=2`);
  if (fieldOf(body, 'resourceType') !== 'Bundle') throw noFhir('The answer to a search is not a Bundle');
  return listOf(fieldOf(body, 'entry')).flatMap((entry) => {
    const resource = fieldOf(entry, 'resource');
    const id = fieldOf(resource, 'id');
    return fieldOf(resource, 'resourceType') === type && typeof id === 'string' ? [id] : [];
  });
};
