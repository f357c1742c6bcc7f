import { z } from 'zod';
import { imageStream, stream } from './endpoint.ts';

const series = '/studies/:studyUid/series/:seriesUid';
const instance = `${series}/instances/:instanceUid` as const;

/**
 * The DICOMweb services (PS3.18). The same handlers serve each path under /api (…/qido-rs, …/wado-rs, …/stow-rs) and,
 * for other software, under /dicom-web.
 */
export const archive = {
  store: imageStream('POST', '/studies', 'study.create'),
  storeInStudy: imageStream('POST', '/studies/:studyUid', 'study.create'),
  deleteStudy: stream('DELETE', '/studies/:studyUid', 'study.delete'),
  deleteSeries: stream('DELETE', series, 'study.delete'),
  deleteInstance: stream('DELETE', instance, 'study.delete'),
  searchStudies: stream('GET', '/studies', 'study.view'),
  searchSeries: stream('GET', '/series', 'study.view'),
  searchSeriesOfStudy: stream('GET', '/studies/:studyUid/series', 'study.view'),
  searchInstances: stream('GET', '/instances', 'study.view'),
  searchInstancesOfStudy: stream('GET', '/studies/:studyUid/instances', 'study.view'),
  searchInstancesOfSeries: stream('GET', `${series}/instances`, 'study.view'),
  study: imageStream('GET', '/studies/:studyUid', 'study.view'),
  series: imageStream('GET', series, 'study.view'),
  instance: imageStream('GET', instance, 'study.view'),
  studyMetadata: imageStream('GET', '/studies/:studyUid/metadata', 'study.view'),
  seriesMetadata: imageStream('GET', `${series}/metadata`, 'study.view'),
  instanceMetadata: imageStream('GET', `${instance}/metadata`, 'study.view'),
  bulkdata: imageStream('GET', `${instance}/bulkdata/*`, 'study.view'),
  frames: imageStream('GET', `${instance}/frames/:frames`, 'study.view'),
  studyRendered: imageStream('GET', '/studies/:studyUid/rendered', 'study.view'),
  seriesRendered: imageStream('GET', `${series}/rendered`, 'study.view'),
  instanceRendered: imageStream('GET', `${instance}/rendered`, 'study.view'),
  frameRendered: imageStream('GET', `${instance}/frames/:frames/rendered`, 'study.view'),
  studyThumbnail: imageStream('GET', '/studies/:studyUid/thumbnail', 'study.view'),
  /** Creates a thumbnail URL for <img>. It needs no token and expires after five minutes (C33). */
  studyThumbnailLink: imageStream('POST', '/studies/:studyUid/thumbnail', 'study.view'),
  seriesThumbnail: imageStream('GET', `${series}/thumbnail`, 'study.view'),
  instanceThumbnail: imageStream('GET', `${instance}/thumbnail`, 'study.view'),
  frameThumbnail: imageStream('GET', `${instance}/frames/:frames/thumbnail`, 'study.view'),
};

/**
 * Result for each file of a store request, by the name it was sent under. The server returns it for `Accept:
 * application/json`, as `data` of the usual envelope. The PS3.18 response (application/dicom+json) has neither names
 * nor messages.
 */
export const storeAnswer = z.object({
  /** Has no `studyId` if the sender may not see the study. */
  stored: z.array(z.object({ name: z.string(), studyId: z.string().optional() })),
  refused: z.array(z.object({ name: z.string(), reason: z.string() })),
});
export type StoreAnswer = z.infer<typeof storeAnswer>;

/** URL of one image, with the permissions of its creator's session. In the usual envelope. */
export const pictureLink = z.object({ url: z.string(), expiresAt: z.iso.datetime() });
export type PictureLink = z.infer<typeof pictureLink>;
