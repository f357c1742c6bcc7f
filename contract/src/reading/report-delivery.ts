import { t } from '../core/translate.ts';
import { z } from 'zod';
import { get, post, stream, notAudited, asReading } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import type { Moves } from '../core/moves.ts';

/** Kinds of delivery. FHIR: to a FHIR server. STUDY: into the study of the report, as a DICOM instance. */
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

/** Latest delivery of a report to one destination. */
export const reportDelivery = z.object({
  id: z.string(),
  reportId: z.string(),
  kind: z.enum(deliveryKinds),
  remoteConfigId: z.string().nullable(),
  /** Display name of the destination. */
  destination: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.number(),
  /** Message for the user with the reason of the last failure; otherwise empty. */
  error: z.string(),
  /** Time of the next automatic attempt. */
  nextAttemptAt: z.string().nullable(),
  /** Resources that the destination created. */
  resources: z.array(z.object({ type: z.string(), id: z.string() })),
  /** Whether the destination has an outdated report: a part was signed since, or `namesOtherwise` is true. */
  isOutdated: z.boolean(),
  /**
   * Whether the report at the destination names another patient or old patient data, because the study has moved or the
   * record was corrected since.
   */
  namesOtherwise: z.boolean(),
  requestedBy: z.string(),
  requestedAt: z.string(),
  /** Time of the last successful delivery. */
  sentAt: z.string().nullable(),
});
export type ReportDelivery = z.infer<typeof reportDelivery>;

export const deliveryDestination = z.object({ id: z.string(), aeTitle: z.string() });
export type DeliveryDestination = z.infer<typeof deliveryDestination>;

/** Message for a call without a FHIR configuration. */
export const noConfiguration = () => t`Please select a configuration`;

export const reportDeliveries = {
  /**
   * Queues a finalized report for a FHIR server. If a delivery is already queued, starts it now and returns it. 422 if
   * the configuration is unknown or not FHIR.
   */
  send: post('/external/reports', {
    can: 'report.send',
    audited: 'report.send',
    query: z.object({ config: z.string().default(''), reportId: z.string().default('') }),
    reply: reportDelivery,
  }),
  /** FHIR servers that can receive reports. */
  destinations: get('/external/reports/destinations', {
    can: 'report.send',
    audited: notAudited.noPatient,
    reply: z.array(deliveryDestination),
  }),
  list: get('/reports/:id/deliveries', {
    can: 'report.send',
    audited: asReading('report.viewDeliveries', 'report', 'report'),
    reply: z.array(reportDelivery),
  }),
  /** Queues a finalized report to be stored in its study as a DICOM instance. */
  storeInStudy: post('/reports/:id/store-in-study', {
    can: 'report.send',
    audited: 'report.send',
    reply: reportDelivery,
  }),
  /** Repeats a failed or completed delivery. */
  retry: post('/reports/:id/deliveries/:deliveryId/retry', {
    can: 'report.send',
    audited: 'report.send',
    reply: reportDelivery,
  }),
};

/** The report as PDF (application/pdf). */
export const reportPdf = stream('GET', '/api/reports/:id/pdf', 'report.view', 'report.print');

/** The preliminary report as PDF (application/pdf), marked as preliminary. */
export const preliminaryPdf = stream('GET', '/api/reports/:id/preliminary/pdf', 'report.view', 'report.print');

export const noun = {
  calls: [reportDeliveries],
  streams: [reportPdf, preliminaryPdf],
  actions: {
    Report: {
      'report.pdf': 'Created report PDF',
      'report.print': 'Printed report',
      'report.viewDeliveries': 'Viewed report deliveries',
      'report.send': 'Queued report delivery',
      'report.sent': 'Sent report',
      'report.take_out': 'Removed report from study',
    },
  },
} as const satisfies Noun;
