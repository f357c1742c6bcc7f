import { z } from 'zod';
import { userTypes } from '../core/access.ts';
import { priorities } from '../core/priorities.ts';
import { identityMark } from './identities.ts';
import { criticalStates, reading, reportStatuses } from './study-marks.ts';
import { studyStatuses } from './study-status.ts';

/** Planes of images in the patient. */
export const patientPlanes = ['axial', 'sagittal', 'coronal'] as const;

export const seriesSummary = z.object({
  id: z.string(),
  seriesInstanceUID: z.string(),
  seriesNumber: z.number().nullable(),
  seriesDescription: z.string(),
  modality: z.string(),
  bodyPartExamined: z.string(),
  instanceCount: z.number(),
  /**
   * Number of instances by kind: images, documents to be read, videos, images of slides, and others, such as
   * segmentations or waveforms. SOP class and pixels decide the kind, never the modality. Absent in lists that do not
   * count instances.
   */
  contents: z
    .object({
      images: z.number(),
      documents: z.number(),
      others: z.number(),
      videos: z.number().optional(),
      slides: z.number().optional(),
    })
    .optional(),
  /** Whether all images are localizers by their headers. Null or absent if the headers do not tell. */
  isLocalizer: z.boolean().nullable().optional(),
  /**
   * Plane of all images except localizers, by their orientation in the patient (PS3.3 §C.7.6.2.1.1). Null or absent if
   * the headers do not tell, and for oblique or different planes.
   */
  plane: z.enum(patientPlanes).nullable().optional(),
});
export type SeriesSummary = z.infer<typeof seriesSummary>;

const patientOfStudy = z.object({
  id: z.string(),
  patientName: z.string(),
  patientId: z.string(),
  gender: z.enum(['M', 'F', 'O', 'U']),
  dateOfBirth: z.string().nullable(),
});

/** User with an active assignment. `active` is false if this user can no longer sign in. */
const assignee = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string(),
  userType: z.enum(userTypes),
  active: z.boolean(),
});
export type Assignee = z.infer<typeof assignee>;

/**
 * Row of a study list. `studyDate` is in the local time of the scanner, "yyyy-MM-ddTHH:mm:ss", or the day alone,
 * "yyyy-MM-dd", if the files have no time; null if they have no date.
 */
export const studyRow = z.object({
  id: z.string(),
  studyInstanceUID: z.string(),
  studyDescription: z.string(),
  description: z.string(),
  modality: z.string(),
  modalities: z.array(z.string()),
  studyDate: z.string().nullable(),
  accessionNumber: z.string(),
  status: z.enum(studyStatuses),
  priority: z.enum(priorities),
  referringPhysicianName: z.string(),
  referringPhysicianPhone: z.string(),
  createdDate: z.string(),
  lastModifiedDate: z.string(),
  seriesCount: z.number(),
  instanceCount: z.number(),
  patient: patientOfStudy,
  /** Assignees, the earliest assignment first. */
  assignees: z.array(assignee),
  /** Earliest due date of the active assignments. */
  dueDate: z.string().nullable(),
  /** User who is writing the report; null for callers who see only finalized reports. */
  readingBy: reading.nullable(),
  /** State of the most urgent critical finding in the reports; null if there is none. */
  criticalState: z.enum(criticalStates).nullable(),
  /**
   * Mark of an open identity question: the files do not match the patient with the same Patient ID. Null if there is
   * none.
   */
  identity: identityMark.nullable(),
});
export type StudyRow = z.infer<typeof studyRow>;

export const dicomTag = z.object({
  id: z.string(),
  keyword: z.string(),
  tagId: z.string(),
  valueRepresentation: z.string(),
  value: z.string(),
});
export type DicomTag = z.infer<typeof dicomTag>;

export const studyDetails = studyRow.extend({
  revision: z.number(),
  /** Reason why the caller cannot use the chat of the study; null if allowed. */
  chatRefusal: z.string().nullable(),
  clinicalHistory: z.string(),
  /** Whether the study must not be deleted, for example because of a court case. */
  isOnLegalHold: z.boolean(),
  /** The join of images with this order by accession number, if it can be undone. */
  orderJoin: z.object({ id: z.string(), joinedDate: z.string() }).nullable(),
  series: z.array(
    seriesSummary.extend({
      instances: z.array(
        z.object({
          id: z.string(),
          sopInstanceUID: z.string(),
          instanceNumber: z.number().nullable(),
          numberOfFrames: z.number(),
        }),
      ),
    }),
  ),
  equipment: z.object({
    name: z.string(),
    manufacturer: z.string(),
    model: z.string(),
    room: z.object({ name: z.string() }),
  }),
  /** Radiation dose in mGy·cm, mGy and mSv; null if the files have none. */
  radiation: z.object({
    totalDLP: z.number().nullable(),
    ctdiVol: z.number().nullable(),
    effectiveDose: z.number().nullable(),
  }),
  order: z.object({
    orderNumber: z.string(),
    orderingPhysician: z.object({ username: z.string() }),
    procedureCode: z.string(),
    procedureDescription: z.string(),
    scheduledDateTime: z.string().nullable(),
    performingTechnologist: z.object({ username: z.string() }),
  }),
});
export type StudyDetails = z.infer<typeof studyDetails>;

/** The new study of images that were separated from an order. */
export const orderSeparation = z.object({ imagesStudyId: z.string() });
export type OrderSeparation = z.infer<typeof orderSeparation>;

/** Another study of the patient, with the newest report of that study that the caller may read. */
export const priorStudy = studyRow.extend({
  report: z.object({ id: z.string(), status: z.enum(reportStatuses), finalizedAt: z.string().nullable() }).nullable(),
  /** BodyPartExamined of the series, each once. With it, a viewer chooses the prior to hang. */
  bodyParts: z.array(z.string()),
});
export type PriorStudy = z.infer<typeof priorStudy>;

export const priorOrders = ['date', 'relevance'] as const;
export type PriorOrder = (typeof priorOrders)[number];

export const studyAuditEntry = z.object({
  id: z.string(),
  /** Action in the form "entity.action", such as "study.view". */
  action: z.string(),
  timestamp: z.string(),
  username: z.string(),
  outcome: z.enum(['SUCCESS', 'FAILURE']),
});
export type StudyAuditEntry = z.infer<typeof studyAuditEntry>;

/** REPLACE: a corrected file purges the study. PURGE: a second user purges it. */
export const earlyPurgeKinds = ['REPLACE', 'PURGE'] as const;

/** The decision to purge a deleted study before its retention ends. `isOwn`: the caller made it. */
const earlyPurge = z.object({
  kind: z.enum(earlyPurgeKinds),
  reason: z.string(),
  requestedBy: z.string(),
  requestedDate: z.string(),
  isOwn: z.boolean(),
});
export type EarlyPurge = z.infer<typeof earlyPurge>;

/** A study in the recycle bin. `purgeDate` is the earliest date on which it is purged. */
export const deletedStudy = studyRow.extend({
  deletedDate: z.string(),
  purgeDate: z.string(),
  deletedBy: z.string(),
  earlyPurge: earlyPurge.nullable(),
  /** Number of files that were refused since the deletion. `refusedDate` is empty when there are none. */
  refusedFiles: z.number(),
  refusedDate: z.string(),
});
export type DeletedStudy = z.infer<typeof deletedStudy>;
