import { importJobStates, type ImportJobState } from './import-job-states.ts';
import { t, translated } from '../core/translate.ts';
import { z } from 'zod';
import { get, post, asReading, stream } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import type { Moves } from '../core/moves.ts';
import { page, pageQuery } from '../core/paging.ts';
import { remoteProtocols } from './remote-archives.ts';

export const importJobStateLabels: Record<ImportJobState, string> = translated({
  QUEUED: 'Queued',
  RUNNING: 'Running',
  PARTIAL: 'Partial',
  DONE: 'Done',
  FAILED: 'Failed',
  CANCELLED: 'Canceled',
});

/**
 * `PARTIAL`: some instances are missing, or their number is unknown. `FAILED`: no instance arrived. Jobs in these
 * states and in `CANCELLED` can be retried.
 */
export const importJobMoves: Moves<ImportJobState> = {
  QUEUED: ['RUNNING', 'CANCELLED'],
  RUNNING: ['QUEUED', 'DONE', 'PARTIAL', 'FAILED', 'CANCELLED'],
  PARTIAL: ['QUEUED'],
  FAILED: ['QUEUED'],
  CANCELLED: ['QUEUED'],
  DONE: [],
};

export const isActive = (state: ImportJobState): boolean => state === 'QUEUED' || state === 'RUNNING';
export const isRetryable = (state: ImportJobState): boolean =>
  importJobMoves[state].includes('QUEUED') && !isActive(state);

/** Import of one study from a remote archive. */
export const importJob = z.object({
  id: z.string(),
  /** StudyInstanceUID, by which the caller names the job. */
  jobId: z.string(),
  remoteConfigId: z.string(),
  remoteName: z.string(),
  protocol: z.enum(remoteProtocols),
  studyInstanceUID: z.string(),
  patientName: z.string(),
  studyDescription: z.string(),
  state: z.enum(importJobStates),
  /** Numbers of instances: in the remote archive (null until known), stored here, and rejected or missing. */
  expected: z.number().nullable(),
  received: z.number(),
  failed: z.number(),
  /** Message for the user if the job is not complete; otherwise empty. */
  cause: z.string(),
  attempts: z.number(),
  requestedBy: z.string(),
  createdDate: z.string(),
  startedDate: z.string().nullable(),
  finishedDate: z.string().nullable(),
  /** ID of the stored study; null until it exists. */
  studyId: z.string().nullable(),
});
export type ImportJob = z.infer<typeof importJob>;

export const importFailure = z.object({ sopInstanceUID: z.string(), reason: z.string() });

const filters = { state: z.enum(importJobStates).optional() };

/** Query of `importJobExport`. */
export const importJobExportQuery = z.object(filters);

/** Limit of an export. A line at the end says that rows are missing. */
export const mostExportedImportJobs = 10_000;

/**
 * Exports the imports as CSV, with formulas escaped. The query is that of `importJobs.list`, without the page. It also
 * requires study.import.
 */
export const importJobExport = stream('GET', '/api/queue-jobs/export', 'study.export', 'import.exportList');

export const importJobs = {
  /** Queues an import. If the same study is already being imported from the same archive, returns that job. */
  create: post('/queue-jobs', {
    can: 'study.import',
    audited: 'import.start',
    body: z.object({
      jobId: z.string().regex(/^[0-9.]{1,64}$/, { error: () => t`Use a Study Instance UID` }),
      remoteConfigId: z
        .string({ error: () => t`Please select a configuration` })
        .min(1, { error: () => t`Please select a configuration` }),
      targetPath: z.string().max(2000).default(''),
      types: z.literal('IMPORT').default('IMPORT'),
      protocol: z.enum(remoteProtocols).optional(),
      /**
       * In the specification, this is the text "None". An object instead gives names to show before the first image
       * arrives.
       */
      parameters: z
        .union([
          z.string(),
          z.object({ patientName: z.string().max(200).default(''), studyDescription: z.string().max(200).default('') }),
        ])
        .optional(),
    }),
    reply: importJob,
  }),
  list: get('/queue-jobs', {
    can: 'study.import',
    audited: asReading('import.view', 'import_job'),
    query: z.object({ ...pageQuery, ...filters }),
    reply: page(importJob),
  }),
  read: get('/queue-jobs/:id', {
    can: 'study.import',
    audited: asReading('import.view', 'import_job', 'import_job'),
    reply: importJob.extend({ failures: z.array(importFailure) }),
  }),
  /** Retrieves only the missing instances. 409 if the job is running or done. */
  retry: post('/queue-jobs/:id/retry', { can: 'study.import', audited: 'import.retry', reply: importJob }),
  /** Cancels the job and keeps the received instances. 409 if it has ended. */
  cancel: post('/queue-jobs/:id/cancel', { can: 'study.import', audited: 'import.cancel', reply: importJob }),
};

export const noun = {
  calls: [importJobs],
  streams: [importJobExport],
  entities: ['import_job'],
  actions: {
    'Remote archives': {
      'import.start': 'Started import',
      'import.retry': 'Retried import',
      'import.cancel': 'Canceled import',
      'import.end': 'Import ended',
      'import.view': 'Viewed imports',
      'import.exportList': 'Exported list of imports',
    },
  },
} as const satisfies Noun;
