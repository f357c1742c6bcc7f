import type { Access } from '@radwork/contract/core/access';
import { endpoints, streams } from '@radwork/contract/all';
import { archive } from '@radwork/contract/imaging/archive';
import type { AuditDeclaration, Endpoint } from '@radwork/contract/core/endpoint';
import { allSamples, joined } from './all-samples.ts';

/** One call of the contract at one URL. */
export type Call = {
  name: string;
  method: Endpoint['method'];
  url: string;
  can: Access;
  audited: AuditDeclaration;
  isStream: boolean;
  /** The query names the data of this call, so the call fails without a query. */
  needsQuery: boolean;
};

const nameOf = (method: string, url: string) => `${method} ${url}`;

/** The archive services have their own prefixes. For other software, they also share one more prefix. */
const prefixesOf = (key: string): string[] => [`/api/${serviceOf(key)}`, '/dicom-web'];

const serviceOf = (key: string): 'stow-rs' | 'qido-rs' | 'wado-rs' => {
  if (key.startsWith('store')) return 'stow-rs';
  return key.startsWith('search') ? 'qido-rs' : 'wado-rs';
};

const streamCalls = Object.entries(archive).flatMap(([key, { method, path, can, audited }]) =>
  prefixesOf(key).map((prefix) => {
    const url = `${prefix}${path}`;
    return { name: nameOf(method, url), method, url, can, audited, isStream: true, needsQuery: false };
  }),
);

const otherStreamCalls = streams.map(({ method, path, can, audited }) => ({
  name: nameOf(method, path),
  method,
  url: path,
  can,
  audited,
  isStream: true,
  needsQuery: false,
}));

const jsonCalls = endpoints.map(({ method, path, can, audited, query }: Endpoint) => {
  const url = `/api${path}`;
  const needsQuery = query?.safeParse({}).success === false;
  return { name: nameOf(method, url), method, url, can, audited, isStream: false, needsQuery };
});

/** True for calls about tenants themselves. Super administrators may see other tenants there. */
export const isAcrossTenants = ({ url }: Pick<Call, 'url'>): boolean => /^\/api\/tenants(\/|$)/.test(url);

/** Every call of the contract at each of its URLs. */
export const contractCalls: readonly Call[] = [...jsonCalls, ...streamCalls, ...otherStreamCalls];

/** The records that URL parameters refer to. Features add further ids (`ids` and `parameters` of their samples). */
export type RecordIds = { readonly [id in `${string}Id`]: string } & {
  studyId: string;
  patientId: string;
  reportId: string;
  version: number;
  linkHash: string;
  studyUid: string;
  seriesUid: string;
  instanceUid: string;
  organizationId: string;
  otherPatientId: string;
  chatMessageId: string;
};

const queries = new Map(
  allSamples.flatMap(({ queries: ofFeature = [] }) =>
    // Paths of streams begin with their prefix.
    ofFeature.map(
      ([{ method, path }, query]) => [nameOf(method, path.startsWith('/api/') ? path : `/api${path}`), query] as const,
    ),
  ),
);

/** Returns a URL with its parameters filled in. Throws for an unknown parameter. */
export const addressOf = (call: Call, recordIds: RecordIds): string =>
  call.url
    .replaceAll(/:(\w+)/g, (_, parameter: string) => parameterOf(call, parameter, recordIds))
    .replace('*', '00091010')
    .concat(queries.get(call.name) ?? '');

const parameters = joined(({ parameters: ofFeature }) => ofFeature);
const values = joined(({ values: ofFeature }) => ofFeature);
/** The longest beginning of a path comes first. */
const idsByPath = [...joined(({ ids }) => ids)].toSorted(([one], [other]) => other.length - one.length);

/** The name of each id that a URL may hold. */
export const idNames: ReadonlySet<string> = new Set([...parameters.values(), ...idsByPath.map(([, name]) => name)]);

const parameterOf = ({ url }: Call, parameter: string, recordIds: Readonly<Record<string, unknown>>): string => {
  const value = values.get(parameter);
  if (value !== undefined) return value;
  const [, name = parameters.get(parameter)] =
    parameter === 'id' ? (idsByPath.find(([path]) => url.startsWith(`/api${path}`)) ?? []) : [];
  if (!name) throw new Error(`Say in feature.samples.ts whose id :${parameter} of ${url} is`);
  return String(recordIds[name]);
};

const bodies = new Map(
  allSamples.flatMap(({ bodies: ofFeature = [] }) =>
    ofFeature.map(([{ method, path }, body]) => [nameOf(method, `/api${path}`), body] as const),
  ),
);

/** Returns a valid body for a call. Throws when a required body is missing in the samples. */
export const bodyOf = (call: Call): object | undefined => {
  const endpoint = endpoints.find(({ method, path }) => nameOf(method, `/api${path}`) === call.name);
  const body = bodies.get(call.name);
  if (endpoint?.body && !body && call.can !== 'public') {
    throw new Error(`Say in feature.samples.ts what ${call.name} is sent`);
  }
  return body;
};

/** True when a call sends JSON. */
export const hasBody = (call: Call): boolean => bodyOf(call) !== undefined;

/** True when a URL names a record by id. "/:modality" is no id. */
export const namesIds = ({ url }: Call): boolean => url.replace('/:modality', '').includes(':');
