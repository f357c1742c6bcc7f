import { z } from 'zod';
import { wrongService } from './archive-client.ts';

const text = z.string().max(4096).optional().catch(undefined);
const count = z.number().int().min(0).optional().catch(undefined);
/** A list of which what cannot be understood is left out. */
const listOf = <T extends z.ZodType>(item: T) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((values) =>
      values.flatMap((value) => {
        const { data } = item.safeParse(value);
        return data === undefined ? [] : [data];
      }),
    );
const orNothing = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

const coding = z.object({ code: text, display: text });
const identifier = z.object({
  system: text,
  value: text,
  type: orNothing(z.object({ coding: listOf(coding) })),
});
const reference = z.object({ reference: text });

const patient = z.object({
  resourceType: z.literal('Patient'),
  id: text,
  identifier: listOf(identifier),
  name: listOf(z.object({ text, family: text, given: listOf(z.string().max(200)) })),
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

/** What is read of an ImagingStudy of FHIR R4 and R5, which differ in how they write a modality. */
const imagingStudy = z.object({
  resourceType: z.literal('ImagingStudy'),
  identifier: listOf(identifier),
  subject: orNothing(reference),
  started: text,
  description: text,
  modality: listOf(z.object({ code: text, coding: listOf(coding) })),
  numberOfSeries: count,
  numberOfInstances: count,
  endpoint: listOf(reference),
  contained,
  series: listOf(
    z.object({
      uid: z.string().max(64),
      numberOfInstances: count,
      endpoint: listOf(reference),
      instance: listOf(z.object({ uid: z.string().max(64) })),
    }),
  ),
});
export type ImagingStudy = z.infer<typeof imagingStudy>;

const entry = z.object({ fullUrl: text, resource: z.union([imagingStudy, patient, endpoint]) });

const bundle = z.object({
  resourceType: z.literal('Bundle'),
  link: listOf(z.object({ relation: z.string(), url: z.string().max(4096) })),
  entry: listOf(entry),
});
export type FhirBundle = z.infer<typeof bundle>;

/** What a FHIR server answers to a search. Throws a RemoteError for what is no Bundle. */
export const readBundle = (value: unknown): FhirBundle => {
  const { data } = bundle.safeParse(value);
  if (!data) throw wrongService('its answer is not a FHIR Bundle');
  return data;
};

const capabilityStatement = z.object({
  resourceType: z.literal('CapabilityStatement'),
  software: orNothing(z.object({ name: text, version: text })),
});

/** What a FHIR server says it is. Throws a RemoteError for what is no CapabilityStatement. */
export const readServerName = (value: unknown): string => {
  const { data } = capabilityStatement.safeParse(value);
  if (!data) throw wrongService('its metadata is not a FHIR CapabilityStatement');
  return [data.software?.name, data.software?.version].filter(Boolean).join(' ').slice(0, 100);
};

type Resource = FhirPatient | FhirEndpoint;

/** What a reference leads to: "#id" within the study itself, else among what the server included. */
export const resolveReference = (
  { reference: target = '' }: { reference?: string | undefined },
  study: ImagingStudy,
  entries: FhirBundle['entry'],
): Resource | undefined => {
  if (target.startsWith('#')) return study.contained.find(({ id }) => id === target.slice(1));
  const included = entries.find(
    ({ fullUrl, resource }) =>
      fullUrl === target || ('id' in resource && target.endsWith(`${resource.resourceType}/${resource.id}`)),
  );
  return included?.resource.resourceType === 'ImagingStudy' ? undefined : included?.resource;
};
