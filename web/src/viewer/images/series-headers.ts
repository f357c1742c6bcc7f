import { archive } from '@radwork/contract/archive';
import { callStream } from '#core/api.ts';
import type { DicomJson } from './dicom-json.ts';

/** Where the archive answers (PS3.18 §10.4). */
export const wadoPrefix = '/api/wado-rs';

export const pathOfSeries = (studyUid: string, seriesUid: string) =>
  `${wadoPrefix}/studies/${studyUid}/series/${seriesUid}`;

/** Metadata of a series of thousands of images may take its time. */
const patience = 120_000;

/** The headers of all instances of a series (WADO-RS metadata, PS3.18 §10.4.1.1.2). Throws ApiError. */
export const readHeaders = async (studyUid: string, seriesUid: string, signal: AbortSignal): Promise<DicomJson[]> => {
  const response = await callStream(wadoPrefix, archive.seriesMetadata, {
    params: { studyUid, seriesUid },
    accept: 'application/dicom+json',
    timeout: patience,
    signal,
  });
  return response.json();
};
