import type { SeriesSummary, StudyDetails } from '@radwork/contract/imaging/study-rows';
import { queryOptions } from '@tanstack/react-query';
import { fetchBytes } from '#core/http/api.ts';
import { SizeLimitError } from '#core/http/size-limit.ts';
import type { DicomJson } from '#reading/viewer/images/header/dicom-json.ts';
import { readHeaders } from '#reading/viewer/images/series/series-headers.ts';
import { readSegmentation } from './read-segmentation.ts';
import { countValues, longContours, type LongValues, mostPoints, readStructures } from './read-structures.ts';
import type { SegmentSet, SeriesLocation } from './segment-set.ts';

/** Time-out in milliseconds. A contour with millions of points is slow to load. */
const patience = 120_000;

/** Limit for long contours of one object, in bytes of text. It is about twice the amount that may be drawn. */
const mostText = 160 * 1024 * 1024;

const mostValues = mostPoints * 3;

const fetchLong = async (header: DicomJson, signal: AbortSignal): Promise<LongValues> => {
  const values = new Map<string, string | null>();
  let [bytes, count] = [0, 0];
  const textAt = async (address: string): Promise<string | null> => {
    if (bytes >= mostText || count >= mostValues) return null;
    try {
      const blob = await fetchBytes(address, {
        accept: 'application/octet-stream',
        most: mostText - bytes,
        timeout: patience,
        signal,
      });
      const text = await blob.text();
      bytes += blob.size;
      count += countValues(text);
      return count > mostValues ? null : text;
    } catch (error) {
      if (error instanceof SizeLimitError) return null;
      throw error;
    }
  };
  // A value over the limit is null and reported for its region (read-structures.ts).
  for (const address of longContours(header)) values.set(address, await textAt(address));
  return values;
};

const load = async (where: SeriesLocation, modality: string, signal: AbortSignal): Promise<SegmentSet[]> => {
  const headers = await readHeaders(where.studyInstanceUID, where.seriesInstanceUID, signal);
  if (modality === 'SEG') return headers.map((header) => readSegmentation(header, where));
  const sets: SegmentSet[] = [];
  for (const header of headers) sets.push(readStructures(header, where, await fetchLong(header, signal)));
  return sets;
};

/** Loads the segment sets of a series. They are cached without header parts that are not needed. */
export const segmentSets = ({ studyInstanceUID }: StudyDetails, { seriesInstanceUID, modality }: SeriesSummary) =>
  queryOptions({
    queryKey: ['viewer', 'segments', studyInstanceUID, seriesInstanceUID],
    queryFn: ({ signal }) => load({ studyInstanceUID, seriesInstanceUID }, modality, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
