import { t, translated } from '../core/translate.ts';
import { z } from 'zod';
import { asReading, get, post } from '../core/endpoint.ts';
import { namedPatient } from '../core/named-patient.ts';
import type { Noun } from '../core/noun.ts';

/** Titles of rejection notes by code value of DCM (PS3.16 CID 7010, IHE RAD TF-3 §4.66.4.1.3). */
export const rejectionTitles = ['113001', '113037', '113038', '113039'] as const;
export type RejectionTitle = (typeof rejectionTitles)[number];

/** Title of images whose time of storage ended. Users do not choose it, because only an archive has such a policy. */
export const retentionExpired = '113039' satisfies RejectionTitle;

/** Title of images that belong to another patient, study or series. */
export const incorrectWorklistEntry = '113038' satisfies RejectionTitle;

export const rejectionTitleLabels: Record<RejectionTitle, string> = translated({
  '113001': 'Rejected for quality reasons',
  '113037': 'Rejected for patient safety reasons',
  '113038': 'Incorrect modality worklist entry',
  '113039': 'Data retention policy expired',
});

/** Titles that a user chooses from. */
export const chosenTitles = ['113001', '113037', '113038'] as const satisfies readonly RejectionTitle[];

/** Reasons of a rejection for quality by code value of DCM (PS3.16 CID 7011). */
export const qualityReasons = [
  '111207',
  '111208',
  '111209',
  '111210',
  '111211',
  '111212',
  '111213',
  '111214',
  '111215',
  '111216',
  '111217',
  '111218',
  '111219',
  '111220',
  '111221',
  '113026',
] as const;
export type QualityReason = (typeof qualityReasons)[number];

export const qualityReasonLabels: Record<QualityReason, string> = translated({
  '111207': 'Image artifacts',
  '111208': 'Grid artifacts',
  '111209': 'Positioning',
  '111210': 'Motion blur',
  '111211': 'Under exposed',
  '111212': 'Over exposed',
  '111213': 'No image',
  '111214': 'Detector artifacts',
  '111215': 'Artifacts other than grid or detector artifacts',
  '111216': 'Mechanical failure',
  '111217': 'Electrical failure',
  '111218': 'Software failure',
  '111219': 'Inappropriate image processing',
  '111220': 'Other failure',
  '111221': 'Unknown failure',
  '113026': 'Double exposure',
});

/** Why a rejection note was not followed (server/migrations/0111_rejections.sql). */
export const withheldReasons = ['RIGHT', 'LEGAL_HOLD', 'REPORT'] as const;
export type WithheldReason = (typeof withheldReasons)[number];

export const withheldLabels: Record<WithheldReason, string> = translated({
  RIGHT: 'Not followed: the sender may not reject images',
  LEGAL_HOLD: 'Not followed: the study is on legal hold',
  REPORT: 'Not followed: the study has a finalized report',
});

const uid = z.string().regex(/^[0-9.]{1,64}$/, { error: () => t`A UID contains digits and dots only` });

/** The images to reject: one image, or a series when `sopInstanceUID` is missing. */
const selection = { seriesInstanceUID: uid, sopInstanceUID: uid.optional() };

const rejectedSeries = z.object({
  seriesInstanceUID: z.string(),
  seriesNumber: z.number().nullable(),
  seriesDescription: z.string(),
  modality: z.string(),
  images: z.number(),
  /** Number of the image, if a single image of the series was rejected. */
  instanceNumber: z.number().nullable(),
});

export const rejection = z.object({
  id: z.string(),
  title: z.enum(rejectionTitles),
  /** Code of CID 7011, or any other code of a note; empty without one. */
  reasonCode: z.string(),
  /** Meaning of the reason as the note gives it. Empty if a user chose a reason from `qualityReasons`. */
  reasonMeaning: z.string(),
  comment: z.string(),
  /** True when a rejection note named the images, and false when a user rejected them. */
  isNote: z.boolean(),
  withheld: z.enum(withheldReasons).nullable(),
  /** True when the images were moved to another study. Restoring them undoes the move. */
  isMove: z.boolean(),
  /** The study that received the copies; null if the caller may not see it, or it was deleted. */
  movedTo: z.object({ studyId: z.string(), description: z.string(), patient: namedPatient }).nullable(),
  rejectedBy: z.string(),
  rejectedDate: z.string(),
  /** Number of images that the rejection names. */
  images: z.number(),
  /** Number of these images that have not arrived. They will be rejected when they arrive. */
  missing: z.number(),
  /** The stored images by series. */
  series: z.array(rejectedSeries),
});
export type Rejection = z.infer<typeof rejection>;

/** Effects that a rejection would have now. */
export const rejectionPreview = z.object({
  images: z.number(),
  /** True when the study has no other images. */
  isWholeStudy: z.boolean(),
  keyImages: z.number(),
  measurements: z.number(),
  hasFinalizedReport: z.boolean(),
  isOnLegalHold: z.boolean(),
});
export type RejectionPreview = z.infer<typeof rejectionPreview>;

export const rejectionForm = z.object({
  ...selection,
  title: z.enum(chosenTitles),
  reason: z.enum(qualityReasons).optional(),
  comment: z.string().trim().max(500).default(''),
});
export type RejectionForm = z.input<typeof rejectionForm>;

export const rejections = {
  /** Returns the rejections of a study that were not undone, latest first. */
  list: get('/studies/:id/rejections', {
    can: 'study.delete',
    audited: asReading('rejection.view', 'study', 'study'),
    reply: z.array(rejection),
  }),
  preview: get('/studies/:id/rejections/preview', {
    can: 'study.delete',
    audited: asReading('rejection.view', 'study', 'study'),
    query: z.object(selection),
    reply: rejectionPreview,
  }),
  /** Hides images from readers. They stay stored. */
  reject: post('/studies/:id/rejections', {
    can: 'study.delete',
    audited: 'study.reject',
    body: rejectionForm,
    reply: rejection,
    successStatus: 201,
  }),
  /** Undoes a rejection. Images that another rejection names too stay hidden. */
  restore: post('/studies/:id/rejections/:rejectionId/restoration', {
    can: 'study.delete',
    audited: 'study.restoreImages',
  }),
};

export const noun = {
  calls: [rejections],
  actions: {
    Study: {
      'rejection.view': 'Listed rejected images',
      'study.reject': 'Rejected images',
      'study.restoreImages': 'Restored rejected images',
      'study.withholdRejection': 'Did not follow rejection note',
    },
  },
} as const satisfies Noun;
