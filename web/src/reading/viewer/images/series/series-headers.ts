import { archive } from '@radwork/contract/imaging/archive';
import { callStream } from '#core/http/api.ts';
import type { DicomJson } from '#reading/viewer/images/header/dicom-json.ts';

/** Path of the WADO-RS service (PS3.18 §10.4). */
export const wadoPrefix = '/api/wado-rs';

export const pathOfSeries = (studyUid: string, seriesUid: string) =>
  `${wadoPrefix}/studies/${studyUid}/series/${seriesUid}`;

/** Header with the ID of the stored series. */
const seriesHeader = 'x-series';

/** IDs of stored series, by path. */
const versions = new Map<string, string>();

/**
 * Returns the header that identifies the stored series of an image. A browser caches frames for an hour. Without this
 * header it would show cached pixels of a purged study for its replacement, which has the same UIDs.
 */
export const seriesHeaderOf = (imageId: string): Record<string, string> => {
  const path = /^wadors:(.*)\/instances\//.exec(imageId)?.[1] ?? '';
  const version = versions.get(path);
  return version === undefined ? {} : { [seriesHeader]: version };
};

/** Time-out in milliseconds. It is long, because metadata of thousands of images takes long to load. */
const patience = 120_000;

/** Requests the headers of all instances of a series (WADO-RS metadata, PS3.18 §10.4.1.1.2). Throws ApiError. */
export const requestHeadersOf = async (
  studyUid: string,
  seriesUid: string,
  signal: AbortSignal,
  headers: Record<string, string> = {},
): Promise<Response> => {
  const response = await callStream(wadoPrefix, archive.seriesMetadata, {
    params: { studyUid, seriesUid },
    accept: 'application/dicom+json',
    headers,
    timeout: patience,
    signal,
  });
  const version = response.headers.get(seriesHeader);
  if (version) versions.set(pathOfSeries(studyUid, seriesUid), version);
  return response;
};

/** Reads the headers of all instances of a series. Throws ApiError. */
export const readHeaders = async (...call: Parameters<typeof requestHeadersOf>): Promise<DicomJson[]> =>
  (await requestHeadersOf(...call)).json();
