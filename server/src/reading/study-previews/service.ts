import type { StudyPreview } from '@radwork/contract/reading/study-previews';
import type { Scope } from '#core/access/scope.ts';
import { studyById } from '#imaging/studies/study-rows.ts';
import { keyImagesOf } from '#reading/key-images/service.ts';
import { conclusionOf } from '#reading/report-delivery/fhir/conclusion.ts';
import { documentOf } from '#reading/report-delivery/report-document.ts';
import { priors } from '#reading/reports/priors.ts';

/** Priors among which one with a signed report is searched. */
const priorsSearched = 5;

/** Returns what a reader looks at before opening a study: history, key image and the conclusion of a prior. */
export const previewOf = async (scope: Scope, id: string): Promise<StudyPreview> => {
  const study = await studyById(scope, id);
  const keyImages = await keyImagesOf(scope, id);
  const [first] = keyImages;
  return {
    clinicalHistory: study.clinical_history,
    keyImage: first
      ? {
          seriesInstanceUID: first.seriesInstanceUID,
          sopInstanceUID: first.sopInstanceUID,
          frame: first.frame,
          note: first.note,
        }
      : null,
    keyImageCount: keyImages.length,
    prior: await reportedPrior(scope, id),
  };
};

const reportedPrior = async (scope: Scope, id: string): Promise<StudyPreview['prior']> => {
  const others = await priors(scope, id, { size: priorsSearched, order: 'relevance' });
  const prior = others.find(({ report }) => report?.status === 'FINALIZED');
  if (!prior?.report) return null;
  return {
    id: prior.id,
    studyDate: prior.studyDate,
    modality: prior.modality,
    description: prior.description || prior.studyDescription,
    impression: conclusionOf(await documentOf(scope, prior.report.id)),
  };
};
