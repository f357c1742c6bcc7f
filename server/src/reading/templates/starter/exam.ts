import type { modalities } from '@radwork/contract/core/modalities';

/** An examination with its report. The texts are plain text with merge fields and [unfilled fields]. */
export type Exam = {
  /** Must be unique and never change, because the id of the template contains it. */
  number: number;
  name: string;
  description: string;
  modality: (typeof modalities)[number];
  /** As in DICOM's BodyPartExamined (PS3.16 Annex L). */
  bodyPart: string;
  /** If missing, the clinical history from the order is used. */
  indication?: string;
  technique: string;
  /** For each organ, a text with unfilled fields and the text of a normal finding. */
  findings: readonly (readonly [organ: string, asked: string, normal: string])[];
  impression?: readonly string[];
};
