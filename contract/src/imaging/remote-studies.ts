import { t } from '../core/translate.ts';
import { z } from 'zod';
import { get, post } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { readDayRange } from '../core/study-dates.ts';

export const mostRemoteStudies = 100;

/**
 * A study in a remote archive. Missing texts are empty, and missing counts are null. Names are readable. Dates are
 * YYYY-MM-DD, and times are HH:mm:ss.
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
  /** ID of the study in our archive; null if no part of it is stored here. */
  studyId: z.string().nullable(),
  /** Number of instances in our archive; null if the study is not here. */
  storedInstanceCount: z.number().nullable(),
});
export type RemoteStudy = z.infer<typeof remoteStudy>;

const key = z.string().trim().max(64).default('');

/** Search keys. A name without a wildcard gets a wildcard at its end. */
export const remoteSearchKeys = {
  patientName: key,
  patientId: key,
  accessionNumber: key,
  modality: key,
  studyInstanceUID: key,
  /** A day or range of days; see study-dates.ts. */
  studyDate: key.refine((text) => text === '' || readDayRange(text) !== undefined, {
    error: () => t`Use a date such as 2026-11-21 or 20261101-20261121`,
  }),
};

/** Address typed in the DICOMWEB tab. It is stored for this user only, and deleted after a day without use. */
export const connectionInput = z.object({
  host: z
    .string()
    .trim()
    .min(1, { error: () => t`Host is required`, abort: true })
    .max(255)
    .regex(/^[\w.:[\]-]+$/, { error: () => t`Use a host name or IP address, without http:// or a path` }),
  port: z
    .number({ error: () => t`Port is required` })
    .int()
    .min(1)
    .max(65_535),
  path: z.string().trim().max(500).default('/dicom-web'),
  isTls: z.boolean().default(false),
  username: z.string().max(200).default(''),
  password: z.string().max(1000).default(''),
});

export const remoteStudies = {
  search: get('/remote/search', {
    can: 'study.import',
    audited: 'remote.search',
    query: z.object({
      configId: z
        .string({ error: () => t`Please select a configuration` })
        .min(1, { error: () => t`Please select a configuration` }),
      ...remoteSearchKeys,
    }),
    reply: z.object({ studies: z.array(remoteStudy), hasMore: z.boolean() }),
  }),
  /**
   * Tests the archive and returns the configuration ID for searches and imports. 422 with the reason if the test fails.
   */
  connect: post('/remote/connections', {
    can: 'study.import',
    audited: 'configuration.connect',
    body: connectionInput,
    reply: z.object({ id: z.string(), server: z.string() }),
  }),
};

export const noun = {
  calls: [remoteStudies],
  actions: {
    'Remote archives': {
      'remote.search': 'Searched remote archive',
    },
    Configuration: {
      'configuration.connect': 'Connected to remote archive',
    },
  },
} as const satisfies Noun;
