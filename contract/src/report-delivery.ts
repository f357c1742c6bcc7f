import { z } from 'zod';
import { get, post, stream } from './endpoint.ts';
import type { Moves } from './moves.ts';

/** FHIR: to a FHIR server. STUDY: as a DICOM object into the study that the report is about. */
export const deliveryKinds = ['FHIR', 'STUDY'] as const;
export type DeliveryKind = (typeof deliveryKinds)[number];

export const deliveryStates = ['QUEUED', 'RUNNING', 'SENT', 'FAILED'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const deliveryMoves: Moves<DeliveryState> = {
  QUEUED: ['RUNNING'],
  RUNNING: ['QUEUED', 'SENT', 'FAILED'],
  SENT: ['QUEUED'],
  FAILED: ['QUEUED'],
};

export const isUnderWay = (state: DeliveryState): boolean => state === 'QUEUED' || state === 'RUNNING';

/** How the latest sending of a report to one destination goes or went. */
export const reportDelivery = z.object({
  id: z.string(),
  reportId: z.string(),
  kind: z.enum(deliveryKinds),
  remoteConfigId: z.string().nullable(),
  /** What the destination is called. */
  destination: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.number(),
  /** Why it did not succeed (so far), in words; empty while nothing is wrong. */
  error: z.string(),
  /** When it is tried again by itself. */
  nextAttemptAt: z.string().nullable(),
  /** What the other side has made of it. */
  resources: z.array(z.object({ type: z.string(), id: z.string() })),
  /** Whether the destination has an earlier state of the report: something was signed since, or `namesOtherwise`. */
  isOutdated: z.boolean(),
  /**
   * Whether the destination has a report that names another patient, or the same one otherwise: the study was filed under
   * somebody else since, or the record was corrected.
   */
  namesOtherwise: z.boolean(),
  requestedBy: z.string(),
  requestedAt: z.string(),
  /** When the destination last took it. */
  sentAt: z.string().nullable(),
});
export type ReportDelivery = z.infer<typeof reportDelivery>;

export const deliveryDestination = z.object({ id: z.string(), aeTitle: z.string() });
export type DeliveryDestination = z.infer<typeof deliveryDestination>;

/** What a call without a FHIR configuration is told. */
export const noConfiguration = 'Please select a configuration';

export const reportDeliveries = {
  /**
   * Queues a finalized report for a FHIR server (C52). What is waiting to be sent there is answered, and begins at once.
   * 422 for a configuration that is none or speaks another protocol.
   */
  send: post('/external/reports', {
    can: 'report.send',
    query: z.object({ config: z.string().default(''), reportId: z.string().default('') }),
    reply: reportDelivery,
  }),
  /** The FHIR servers that reports can be sent to. */
  destinations: get('/external/reports/destinations', { can: 'report.send', reply: z.array(deliveryDestination) }),
  list: get('/reports/:id/deliveries', { can: 'report.send', reply: z.array(reportDelivery) }),
  /** Queues a finalized report to be stored in its study as DICOM. */
  storeInStudy: post('/reports/:id/store-in-study', { can: 'report.send', reply: reportDelivery }),
  /** Sends once more what failed or was sent. */
  retry: post('/reports/:id/deliveries/:deliveryId/retry', { can: 'report.send', reply: reportDelivery }),
};

/** The report on paper, as application/pdf. */
export const reportPdf = stream('GET', '/api/reports/:id/pdf', 'report.view');
