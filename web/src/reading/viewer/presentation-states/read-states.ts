import type { DicomJson } from '@radwork/dicom/dataset';
import type { SeriesSummary, StudyDetails } from '@radwork/contract/imaging/study-rows';
import { queryOptions } from '@tanstack/react-query';
import { fetchBytes } from '#core/http/api.ts';
import { SizeLimitError } from '#core/http/size-limit.ts';
import { pathOfSeries, readHeaders } from '#reading/viewer/images/series/series-headers.ts';
import { type TableFault, tablesApartOf } from './grayscale.ts';
import { overlaysApartOf } from './state-overlays.ts';
import { isApplied, type PresentationState, presentationStateOf } from './presentation-state.ts';

/**
 * A state as read from its header. If `apart` is set, the lookup tables and overlay planes stored outside the header
 * are not loaded yet.
 */
export type ListedState = PresentationState & { apart?: { header: DicomJson; path: string } };

/** Size of the largest lookup table in bytes: 65,536 entries of 16 bits (PS3.3 §C.11.1.1). */
const longestTable = 2 * 65_536;

/** Size of the largest overlay plane in bytes: a bit for each pixel of the largest radiographs. */
const longestOverlay = 16 << 20;

/** Maximum number of lookup tables and planes to read for one state. No state made by hand has more. */
const mostTables = 64;

type Place = { path: string; uri: string; most: number };

/** Fetches a lookup table or an overlay plane. Returns a fault on failure, which is shown as not applied. */
const tableAt = async ({ path, uri, most }: Place, signal: AbortSignal): Promise<Uint8Array | TableFault> => {
  const place = uri.slice(uri.indexOf('/bulkdata/'));
  try {
    const bytes = await fetchBytes(`${path}${place}`, {
      accept: 'application/octet-stream',
      most,
      signal,
    });
    return new Uint8Array(await bytes.arrayBuffer());
  } catch (error) {
    signal.throwIfAborted();
    return error instanceof SizeLimitError ? 'too long' : 'not there';
  }
};

const listedState = (header: DicomJson, series: string): ListedState => {
  const state = presentationStateOf(header);
  if (tablesApartOf(header).length + overlaysApartOf(header).length === 0) return state;
  return { ...state, apart: { header, path: `${series}/instances/${state.sopInstanceUID}` } };
};

/** Returns the presentation states of a series without their lookup tables. Counts unsupported states. */
export const statesOfSeries = ({ studyInstanceUID }: StudyDetails, { seriesInstanceUID }: SeriesSummary) =>
  queryOptions({
    queryKey: ['viewer', 'presentation-states', studyInstanceUID, seriesInstanceUID],
    queryFn: async ({ signal }) => {
      const headers = (await readHeaders(studyInstanceUID, seriesInstanceUID, signal)) as unknown as DicomJson[];
      const series = pathOfSeries(studyInstanceUID, seriesInstanceUID);
      const states = headers.filter(isApplied).map((header) => listedState(header, series));
      return { states, others: headers.length - states.length };
    },
    staleTime: 60_000,
  });

/** Returns a state with its lookup tables and overlay planes, fetched one after the other. */
export const wholeState = (state: ListedState) =>
  queryOptions({
    queryKey: ['viewer', 'presentation-state', state.apart?.path],
    queryFn: async ({ signal }): Promise<PresentationState> => {
      if (!state.apart) return state;
      const { header, path } = state.apart;
      const tables = new Map<string, Uint8Array | TableFault>();
      const all = [
        ...tablesApartOf(header).map((uri) => ({ path, uri, most: longestTable })),
        ...overlaysApartOf(header).map((uri) => ({ path, uri, most: longestOverlay })),
      ];
      for (const place of all) {
        tables.set(place.uri, tables.size < mostTables ? await tableAt(place, signal) : 'too many');
      }
      return presentationStateOf(header, tables);
    },
    enabled: state.apart !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    // The result is not cached, so that choosing the state again retries missing tables.
    gcTime: 0,
  });
