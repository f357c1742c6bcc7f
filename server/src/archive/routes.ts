import { archive } from '@radwork/contract/archive';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http.ts';
import { pathParameter } from './path-uids.ts';
import { answerStore } from './store-handler.ts';

/** Our own services each have a prefix; other software finds all of them under one. */
const dicomWeb = '/dicom-web';

/** The DICOMweb services (PS3.18): the same handlers for our own screens and for other software. */
export const archiveRoutes = ({ serveStream }: Routes, context: Context): void => {
  for (const prefix of ['/api/stow-rs', dicomWeb]) {
    serveStream(prefix, archive.store, (call) => answerStore(context, call, undefined));
    serveStream(prefix, archive.storeInStudy, (call) =>
      answerStore(context, call, pathParameter(call.request, 'studyUid')),
    );
  }
};
