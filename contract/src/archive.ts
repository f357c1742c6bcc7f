import { z } from 'zod';
import { stream } from './endpoint.ts';

const series = '/studies/:studyUid/series/:seriesUid';
const instance = `${series}/instances/:instanceUid` as const;

/**
 * The DICOMweb services (PS3.18). Every path stands under two prefixes with the same handlers: the
 * services' own under /api (…/qido-rs, …/wado-rs, …/stow-rs), and /dicom-web for other software.
 */
export const archive = {
  store: stream('POST', '/studies', 'study.create'),
  storeInStudy: stream('POST', '/studies/:studyUid', 'study.create'),
  deleteStudy: stream('DELETE', '/studies/:studyUid', 'study.delete'),
  deleteSeries: stream('DELETE', series, 'study.delete'),
  deleteInstance: stream('DELETE', instance, 'study.delete'),
  searchStudies: stream('GET', '/studies', 'study.view'),
  searchSeries: stream('GET', '/series', 'study.view'),
  searchSeriesOfStudy: stream('GET', '/studies/:studyUid/series', 'study.view'),
  searchInstances: stream('GET', '/instances', 'study.view'),
  searchInstancesOfStudy: stream('GET', '/studies/:studyUid/instances', 'study.view'),
  searchInstancesOfSeries: stream('GET', `${series}/instances`, 'study.view'),
  study: stream('GET', '/studies/:studyUid', 'study.view'),
  series: stream('GET', series, 'study.view'),
  instance: stream('GET', instance, 'study.view'),
  studyMetadata: stream('GET', '/studies/:studyUid/metadata', 'study.view'),
  seriesMetadata: stream('GET', `${series}/metadata`, 'study.view'),
  instanceMetadata: stream('GET', `${instance}/metadata`, 'study.view'),
  bulkdata: stream('GET', `${instance}/bulkdata/*`, 'study.view'),
  frames: stream('GET', `${instance}/frames/:frames`, 'study.view'),
  studyRendered: stream('GET', '/studies/:studyUid/rendered', 'study.view'),
  seriesRendered: stream('GET', `${series}/rendered`, 'study.view'),
  instanceRendered: stream('GET', `${instance}/rendered`, 'study.view'),
  frameRendered: stream('GET', `${instance}/frames/:frames/rendered`, 'study.view'),
  studyThumbnail: stream('GET', '/studies/:studyUid/thumbnail', 'study.view'),
  /** Makes an address of the thumbnail that an <img> can load: it needs no token and ends after five minutes (C33). */
  studyThumbnailLink: stream('POST', '/studies/:studyUid/thumbnail', 'study.view'),
  seriesThumbnail: stream('GET', `${series}/thumbnail`, 'study.view'),
  instanceThumbnail: stream('GET', `${instance}/thumbnail`, 'study.view'),
  frameThumbnail: stream('GET', `${instance}/frames/:frames/thumbnail`, 'study.view'),
};

/**
 * What became of each file of a store request, by the name it was sent under: the answer to `Accept: application/json`,
 * as `data` of the usual envelope. PS3.18's own answer (application/dicom+json) knows neither names nor words.
 */
export const storeAnswer = z.object({
  stored: z.array(z.object({ name: z.string(), studyId: z.string() })),
  refused: z.array(z.object({ name: z.string(), reason: z.string() })),
});
export type StoreAnswer = z.infer<typeof storeAnswer>;

/** An address that stands for its maker's session, for one picture; in the usual envelope. */
export const pictureLink = z.object({ url: z.string(), expiresAt: z.iso.datetime() });
export type PictureLink = z.infer<typeof pictureLink>;
