import { t } from '@radwork/contract/core/translate';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { wrongService } from './archive-client.ts';

const text = z.string().max(4096).optional().catch(undefined);
const count = z.number().int().min(0).optional().catch(undefined);
/** Items that are read from a list in a resource. More identifiers or names are not needed. */
const mostItems = 20;
/** Reads a list and drops invalid items. */
const listOf = <T extends z.ZodType>(item: T, most = mostItems) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((values) =>
      values.slice(0, most).flatMap((value) => {
        const { data } = item.safeParse(value);
        return data === undefined ? [] : [data];
      }),
    );
const orNothing = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

const coding = z.object({ code: text, display: text });
const identifier = z.object({
  use: text,
  system: text,
  value: text,
  type: orNothing(z.object({ coding: listOf(coding) })),
});
const reference = z.object({ reference: text });

const patient = z.object({
  resourceType: z.literal('Patient'),
  id: text,
  identifier: listOf(identifier),
  name: listOf(z.object({ use: text, text, family: text, given: listOf(z.string().max(200)) })),
  gender: text,
  birthDate: text,
});
export type FhirPatient = z.infer<typeof patient>;

const endpoint = z.object({
  resourceType: z.literal('Endpoint'),
  id: text,
  address: z.string().max(2000),
  connectionType: z.unknown(),
});
export type FhirEndpoint = z.infer<typeof endpoint>;

const contained = listOf(z.union([patient, endpoint]));

/** Fields that are read from an ImagingStudy of FHIR R4 and R5. R4 and R5 write the modality differently. */
const imagingStudy = z.object({
  resourceType: z.literal('ImagingStudy'),
  status: text,
  identifier: listOf(identifier),
  subject: orNothing(reference),
  started: text,
  description: text,
  modality: listOf(z.object({ code: text, coding: listOf(coding) })),
  numberOfSeries: count,
  numberOfInstances: count,
  endpoint: listOf(reference),
  contained,
  series: listOf(z.object({ endpoint: listOf(reference) })),
});
export type ImagingStudy = z.infer<typeof imagingStudy>;

const entry = z.object({ fullUrl: text, resource: z.union([imagingStudy, patient, endpoint]) });

const bundle = z.object({
  resourceType: z.literal('Bundle'),
  link: listOf(z.object({ relation: z.string(), url: z.string().max(4096) })),
  entry: z.array(z.unknown()).catch([]),
});
export type FhirBundle = Omit<z.infer<typeof bundle>, 'entry'> & { entry: z.infer<typeof entry>[] };

/**
 * Maximum number of entries to read. Several times the requested number of studies, because a Bundle also contains
 * referenced resources.
 */
const mostEntries = 1000;

/**
 * Reads the Bundle of a FHIR search. Lets other requests run in between, because a Bundle may be large. Throws a
 * RemoteError when it is not a Bundle.
 */
export const readBundle = async (value: unknown): Promise<FhirBundle> => {
  const { data } = bundle.safeParse(value);
  if (!data) throw wrongService(t`The answer is not a FHIR Bundle`);
  const entries: FhirBundle['entry'] = [];
  for (const rawEntry of data.entry.slice(0, mostEntries)) {
    // Even a single entry may be large.
    await setImmediate();
    const { data: read } = entry.safeParse(rawEntry);
    if (read) entries.push(read);
  }
  return { ...data, entry: entries };
};

const capabilityStatement = z.object({
  resourceType: z.literal('CapabilityStatement'),
  software: orNothing(z.object({ name: text, version: text })),
});

/** Reads the name of a FHIR server. Throws a RemoteError when the value is not a CapabilityStatement. */
export const readServerName = (value: unknown): string => {
  const { data } = capabilityStatement.safeParse(value);
  if (!data) throw wrongService(t`The metadata is not a FHIR CapabilityStatement`);
  return [data.software?.name, data.software?.version].filter(Boolean).join(' ').slice(0, 100);
};

type Resource = FhirPatient | FhirEndpoint;

/** A study in a Bundle, its URL and the other entries. */
export type StudyEntry = { study: ImagingStudy; fullUrl: string | undefined; entries: FhirBundle['entry'] };

/**
 * Returns the studies in a Bundle. Leaves out studies marked as entered in error, for example for the wrong patient.
 */
export const studiesOf = ({ entry: entries }: FhirBundle): StudyEntry[] =>
  entries.flatMap(({ fullUrl, resource }) =>
    resource.resourceType === 'ImagingStudy' && resource.status !== 'entered-in-error'
      ? [{ study: resource, fullUrl, entries }]
      : [],
  );

/**
 * Resolves a reference (FHIR R4, bundle.html#references). "#id" names a resource within the study, and a URL names the
 * resource at that URL. "Type/id" names a resource on the server of the study: Patient/1 of another server is another
 * person. Undefined when several resources match.
 */
export const resolveReference = (
  { reference: target = '' }: { reference?: string | undefined },
  { study, fullUrl, entries }: StudyEntry,
): Resource | undefined => {
  if (target.startsWith('#')) return study.contained.find(({ id }) => id === target.slice(1));
  const unversioned = withoutVersion(target);
  const base = /^(.+\/)ImagingStudy\/[^/]+$/.exec(withoutVersion(fullUrl ?? ''))?.[1];
  const isAddress = URL.canParse(unversioned);
  const address = isAddress ? unversioned : base && `${base}${unversioned}`;
  const [first, ...others] = entries.flatMap(({ fullUrl: at, resource }) => {
    if (resource.resourceType === 'ImagingStudy') return [];
    const isSame =
      at && address
        ? withoutVersion(at) === address
        : !isAddress && `${resource.resourceType}/${resource.id}` === unversioned;
    return isSame ? [resource] : [];
  });
  return others.every((other) => isDeepStrictEqual(other, first)) ? first : undefined;
};

const withoutVersion = (reference: string): string => reference.replace(/\/_history\/[^/]*$/, '');
