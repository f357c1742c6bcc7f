import type { modalities } from '@radwork/contract/modalities';

/** An examination as a radiologist reports it. Words are plain text with merge fields and [places to fill in]. */
export type Exam = {
  /** Never given twice and never changed: the template's id is made of it. */
  number: number;
  name: string;
  description: string;
  modality: (typeof modalities)[number];
  /** As DICOM's BodyPartExamined names it (PS3.16 Annex L). */
  bodyPart: string;
  /** The clinical history of the order where nothing else is said. */
  indication?: string;
  technique: string;
  /** For each organ what the writer is asked for, and what is written when it is normal. */
  findings: readonly (readonly [organ: string, asked: string, normal: string])[];
  impression?: readonly string[];
};
