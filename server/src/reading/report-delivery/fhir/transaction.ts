import { randomUUID } from 'node:crypto';
import type { Bundle, BundleEntry, FhirResource } from 'fhir/r4';
import { queryFor } from './identifiers.ts';
import { type ReportFacts, resourcesOf, type SentResource } from './resources.ts';

/** Returns a report as one transaction. The server executes all of it or nothing (FHIR R4 §3.1.0.11). */
export const transactionOf = (facts: ReportFacts): Bundle<FhirResource> => {
  const places = new Map<string, string>();
  const placeOf = (key: string): string => {
    const place = places.get(key) ?? `urn:uuid:${randomUUID()}`;
    places.set(key, place);
    return place;
  };
  const sent = resourcesOf(facts, (key) => ({ reference: placeOf(key) }));
  return { resourceType: 'Bundle', type: 'transaction', entry: sent.map((one) => entryOf(one, placeOf(one.key))) };
};

/** Our own resources replace earlier versions. Persons are only created if missing. */
const entryOf = ({ resource, identifier, isOurs }: SentResource, fullUrl: string): BundleEntry<FhirResource> => {
  const { resourceType: type } = resource;
  const query = queryFor(identifier);
  return {
    fullUrl,
    resource,
    request: isOurs ? { method: 'PUT', url: `${type}?${query}` } : { method: 'POST', url: type, ifNoneExist: query },
  };
};
