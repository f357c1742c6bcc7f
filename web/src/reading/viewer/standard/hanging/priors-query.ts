import { studies } from '@radwork/contract/imaging/studies';
import { query } from '#core/http/api.ts';

/** Other studies of the patient, the most similar first. */
export const priorsOf = (studyId: string) =>
  query(studies.priors, { params: { id: studyId }, query: { order: 'relevance' } });
