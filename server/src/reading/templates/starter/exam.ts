import type { modalities } from '@radwork/contract/core/modalities';

/** An examination with its report. The texts are plain text with merge fields and [unfilled fields]. */
export type Exam = {
  /** Unique and fixed, because the id of the template contains it. */
  number: number;
  name: string;
  description: string;
  modality: (typeof modalities)[number];
  /** As in DICOM's BodyPartExamined (PS3.16 Annex L). */
  bodyPart: string;
  /** Default: the clinical history from the order. */
  indication?: string;
  technique: string;
  /** For each organ, the unfilled text and the text of a normal finding. */
  findings: readonly (readonly [organ: string, asked: string, normal: string])[];
  impression?: readonly string[];
};
