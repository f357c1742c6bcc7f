import { archive } from '@radwork/contract/imaging/archive';
import { callStream } from '#core/http/api.ts';
import type { DicomJson } from '#reading/viewer/images/header/dicom-json.ts';

/** Path of the WADO-RS service (PS3.18 §10.4). */
export const wadoPrefix = '/api/wado-rs';

export const pathOfSeries = (studyUid: string, seriesUid: string) =>
  `${wadoPrefix}/studies/${studyUid}/series/${seriesUid}`;

/** Time-out in milliseconds; metadata of thousands of images takes long. */
const patience = 120_000;

/** Reads the headers of all instances of a series (WADO-RS metadata, PS3.18 §10.4.1.1.2). Throws ApiError. */
export const readHeaders = async (studyUid: string, seriesUid: string, signal: AbortSignal): Promise<DicomJson[]> => {
  const response = await callStream(wadoPrefix, archive.seriesMetadata, {
    params: { studyUid, seriesUid },
    accept: 'application/dicom+json',
    timeout: patience,
    signal,
  });
  return response.json();
};
