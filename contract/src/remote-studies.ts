import { z } from 'zod';
import { get, post } from './endpoint.ts';
import { readDayRange } from './study-dates.ts';

export const mostRemoteStudies = 100;

/**
 * A study in another archive, as it describes itself; empty texts and null counts where it does not. Names read as
 * people write them, dates are YYYY-MM-DD, times HH:mm:ss.
 */
export const remoteStudy = z.object({
  studyInstanceUID: z.string(),
  studyUrl: z.string(),
  patientName: z.string(),
  patientId: z.string(),
  sex: z.string(),
  birthDate: z.string(),
  studyDate: z.string(),
  studyTime: z.string(),
  studyDescription: z.string(),
  modality: z.string(),
  accessionNumber: z.string(),
  seriesCount: z.number().nullable(),
  instanceCount: z.number().nullable(),
  /** Of the caller's own archive: the id of the study, where some of it is here already. */
  studyId: z.string().nullable(),
  /** How many instances of it are here; null where there is no such study. */
  storedInstanceCount: z.number().nullable(),
});
export type RemoteStudy = z.infer<typeof remoteStudy>;

const key = z.string().trim().max(64).default('');

/** The keys of a search. A wildcard is added at the end of a name that has none (C62). */
export const remoteSearchKeys = {
  patientName: key,
  patientId: key,
  accessionNumber: key,
  modality: key,
  studyInstanceUID: key,
  /** One day or a range; see study-dates.ts. */
  studyDate: key.refine(
    (text) => text === '' || readDayRange(text) !== undefined,
    'Use a date such as 2026-11-21 or 20261101-20261121',
  ),
};

/** A typed archive: the DICOMWEB tab. It is remembered for its user alone, and forgotten after a day without use. */
export const connectionInput = z.object({
  host: z
    .string()
    .trim()
    .min(1, { error: 'Host is required', abort: true })
    .max(255)
    .regex(/^[\w.:[\]-]+$/, 'Use a host name or an address, without http:// and without a path'),
  port: z.number({ error: 'Port is required' }).int().min(1).max(65_535),
  path: z.string().trim().max(500).default('/dicom-web'),
  isTls: z.boolean().default(false),
  username: z.string().max(200).default(''),
  password: z.string().max(1000).default(''),
});

export const remoteStudies = {
  search: get('/remote/search', {
    can: 'study.import',
    query: z.object({
      configId: z.string('Please select a configuration').min(1, 'Please select a configuration'),
      ...remoteSearchKeys,
    }),
    reply: z.object({ studies: z.array(remoteStudy), hasMore: z.boolean() }),
  }),
  /** Tries the archive, and answers the configuration id that searches and imports name it by. 422 says why it failed. */
  connect: post('/remote/connections', {
    can: 'study.import',
    body: connectionInput,
    reply: z.object({ id: z.string(), server: z.string() }),
  }),
};
