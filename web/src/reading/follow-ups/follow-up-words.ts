import { t } from '@lingui/core/macro';
import { followUpPartLabels } from '@radwork/contract/reading/follow-up-parts';
import { followUpModalityLabels } from '@radwork/contract/reading/follow-up-states';
import type { FollowUp } from '@radwork/contract/reading/follow-ups';
import { formatLocal } from '#ui/formats/formats.ts';

/** Names the recommended examination: "CT · Chest". */
export const examinationName = ({ modality, bodyPart }: Pick<FollowUp, 'modality' | 'bodyPart'>): string =>
  [
    modality === '' ? t`Imaging` : followUpModalityLabels[modality],
    ...(bodyPart === '' ? [] : [followUpPartLabels[bodyPart]]),
  ].join(' · ');

/** Says when the examination is due: "due 2026-12-01", or "due 2026-12-01 to 2027-01-01". */
export const dueWords = ({ dueFrom, dueTo }: Pick<FollowUp, 'dueFrom' | 'dueTo'>): string =>
  dueFrom === dueTo ? t`due ${dueTo}` : t`due ${dueFrom} to ${dueTo}`;

/** Names a study: "CT · CT chest · 2026-12-02". */
export const relatedStudyName = ({ modality, description, studyDate }: NonNullable<FollowUp['candidate']>): string =>
  [modality, description, formatLocal(studyDate).slice(0, 10)].filter(Boolean).join(' · ');
