import { z } from 'zod';
import { imageStream, stream, asReading, unaudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';

const series = '/studies/:studyUid/series/:seriesUid';
const instance = `${series}/instances/:instanceUid` as const;

const isQuery = asReading('study.query', 'study');
const isQueryInStudy = asReading('study.query', 'study', 'studyUid');
const isRefused = unaudited('is always refused: studies are deleted as a whole');

/**
 * Pixels on the longer side of the thumbnails on our screens (PS3.18 §8.3.5.1.3). The size is sharp on dense screens, yet
 * quick to render. The server renders thumbnails of these sizes when images arrive.
 */
export const thumbnailSize = { study: 480, series: 192 } as const;

/**
 * DICOMweb services (PS3.18). The same handlers serve the paths below /api (…/qido-rs, …/wado-rs, …/stow-rs) and, for
 * other software, below /dicom-web.
 */
export const archive = {
  store: imageStream('POST', '/studies', 'study.create', 'study.store'),
  storeInStudy: imageStream('POST', '/studies/:studyUid', 'study.create', 'study.store'),
  deleteStudy: stream('DELETE', '/studies/:studyUid', 'study.delete', 'study.delete'),
  deleteSeries: stream('DELETE', series, 'study.delete', isRefused),
  deleteInstance: stream('DELETE', instance, 'study.delete', isRefused),
  searchStudies: stream('GET', '/studies', 'study.view', isQuery),
  searchSeries: stream('GET', '/series', 'study.view', isQuery),
  searchSeriesOfStudy: stream('GET', '/studies/:studyUid/series', 'study.view', isQueryInStudy),
  searchInstances: stream('GET', '/instances', 'study.view', isQuery),
  searchInstancesOfStudy: stream('GET', '/studies/:studyUid/instances', 'study.view', isQueryInStudy),
  searchInstancesOfSeries: stream('GET', `${series}/instances`, 'study.view', isQueryInStudy),
  study: imageStream('GET', '/studies/:studyUid', 'study.view', 'study.retrieve'),
  series: imageStream('GET', series, 'study.view', 'study.retrieve'),
  instance: imageStream('GET', instance, 'study.view', 'study.retrieve'),
  studyMetadata: imageStream('GET', '/studies/:studyUid/metadata', 'study.view', 'study.retrieve'),
  seriesMetadata: imageStream('GET', `${series}/metadata`, 'study.view', 'study.retrieve'),
  instanceMetadata: imageStream('GET', `${instance}/metadata`, 'study.view', 'study.retrieve'),
  bulkdata: imageStream('GET', `${instance}/bulkdata/*`, 'study.view', 'study.retrieve'),
  frames: imageStream('GET', `${instance}/frames/:frames`, 'study.view', 'study.retrieve'),
  studyRendered: imageStream('GET', '/studies/:studyUid/rendered', 'study.view', 'study.retrieve'),
  seriesRendered: imageStream('GET', `${series}/rendered`, 'study.view', 'study.retrieve'),
  instanceRendered: imageStream('GET', `${instance}/rendered`, 'study.view', 'study.retrieve'),
  /** Creates an address of a video for a video element. It needs no token and expires after five minutes. */
  videoLink: imageStream('POST', `${instance}/rendered`, 'study.view', 'study.retrieve'),
  frameRendered: imageStream('GET', `${instance}/frames/:frames/rendered`, 'study.view', 'study.retrieve'),
  studyThumbnail: imageStream('GET', '/studies/:studyUid/thumbnail', 'study.view', 'study.retrieve'),
  /** Creates an address of a thumbnail for an img element. It needs no token and expires after five minutes. */
  studyThumbnailLink: imageStream('POST', '/studies/:studyUid/thumbnail', 'study.view', 'study.retrieve'),
  seriesThumbnail: imageStream('GET', `${series}/thumbnail`, 'study.view', 'study.retrieve'),
  instanceThumbnail: imageStream('GET', `${instance}/thumbnail`, 'study.view', 'study.retrieve'),
  frameThumbnail: imageStream('GET', `${instance}/frames/:frames/thumbnail`, 'study.view', 'study.retrieve'),
};

/**
 * Result for each file of a store request, by the name under which the file was sent. It is returned for `Accept:
 * application/json`, as `data` in the usual envelope. The response of PS3.18 (application/dicom+json) has neither names
 * nor messages.
 */
export const storeAnswer = z.object({
  /** `studyId` is missing if the sender may not see the study. */
  stored: z.array(z.object({ name: z.string(), studyId: z.string().optional() })),
  refused: z.array(z.object({ name: z.string(), reason: z.string() })),
});
export type StoreAnswer = z.infer<typeof storeAnswer>;

/**
 * Address of one image or video. It gives the same access as the session that created it. It is returned in the usual envelope.
 */
export const pictureLink = z.object({ url: z.string(), expiresAt: z.iso.datetime() });
export type PictureLink = z.infer<typeof pictureLink>;

/** Address of a video, with the media type of its container and its size in bytes. */
export const videoLink = pictureLink.extend({ mediaType: z.string(), size: z.number() });
export type VideoLink = z.infer<typeof videoLink>;

export const noun = {
  services: archive,
  entities: ['series', 'instance'],
  actions: {
    Study: {
      'study.retrieve': 'Opened images',
      'study.query': 'Queried images (DICOMweb)',
      'study.store': 'Stored images',
    },
    'Remote archives': {
      'archive.query': 'Queried archive (DIMSE)',
      'worklist.read': 'Queried modality worklist',
    },
  },
} as const satisfies Noun;
