import { z } from 'zod';
import { get, post } from './endpoint.ts';
import type { Moves } from './moves.ts';
import { page, pageQuery } from './paging.ts';
import { remoteProtocols } from './remote-configurations.ts';

export const importJobStates = ['QUEUED', 'RUNNING', 'PARTIAL', 'DONE', 'FAILED', 'CANCELLED'] as const;
export type ImportJobState = (typeof importJobStates)[number];

/**
 * PARTIAL: some instances came and some did not, or nobody could say whether all did. FAILED: none came. Both, and what was
 * cancelled, may be tried again.
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

/** One study on its way from another archive into this one. */
export const importJob = z.object({
  id: z.string(),
  /** The study instance UID, as the caller named the job. */
  jobId: z.string(),
  remoteConfigId: z.string(),
  remoteName: z.string(),
  protocol: z.enum(remoteProtocols),
  studyInstanceUID: z.string(),
  patientName: z.string(),
  studyDescription: z.string(),
  state: z.enum(importJobStates),
  /** Instances: what the source says it has (null until asked), what is here, what was refused or did not come. */
  expected: z.number().nullable(),
  received: z.number(),
  failed: z.number(),
  /** Why it did not complete, in words; empty while nothing is wrong. */
  cause: z.string(),
  attempts: z.number(),
  requestedBy: z.string(),
  createdDate: z.string(),
  startedDate: z.string().nullable(),
  finishedDate: z.string().nullable(),
  /** The study here, once there is one. */
  studyId: z.string().nullable(),
});
export type ImportJob = z.infer<typeof importJob>;

export const importFailure = z.object({ sopInstanceUID: z.string(), reason: z.string() });

export const importJobs = {
  /** Queues an import. While one of the same study from the same source is active, answers that one (C61). */
  create: post('/queue-jobs', {
    can: 'study.import',
    body: z.object({
      jobId: z.string().regex(/^[0-9.]{1,64}$/, 'The job is named by a study instance UID'),
      remoteConfigId: z.string('Please select a configuration').min(1, 'Please select a configuration'),
      targetPath: z.string().max(2000).default(''),
      types: z.literal('IMPORT').default('IMPORT'),
      protocol: z.enum(remoteProtocols).optional(),
      /** The specification sends the text "None". Names shown while nothing has arrived may be given here. */
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
    query: z.object({ ...pageQuery, state: z.enum(importJobStates).optional() }),
    reply: page(importJob),
  }),
  read: get('/queue-jobs/:id', {
    can: 'study.import',
    reply: importJob.extend({ failures: z.array(importFailure) }),
  }),
  /** Fetches what is missing, and only that. 409 when it is active or done. */
  retry: post('/queue-jobs/:id/retry', { can: 'study.import', reply: importJob }),
  /** Keeps what has arrived. 409 when it has ended. */
  cancel: post('/queue-jobs/:id/cancel', { can: 'study.import', reply: importJob }),
};
