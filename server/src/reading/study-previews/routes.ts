import { studyPreviews } from '@radwork/contract/reading/study-previews';
import type { Routes } from '#core/http/http.ts';
import { previewOf } from './service.ts';

export const studyPreviewRoutes = ({ serve }: Routes) => {
  serve(studyPreviews.read, (scope, { params }) => previewOf(scope, params.id));
};
