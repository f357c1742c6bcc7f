import { studies } from '@radwork/contract/imaging/studies';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import type { QueryClient } from '@tanstack/react-query';
import { query } from '#core/http/api.ts';
import { filmLike, type HungSeries, seriesToRead } from '#reading/viewer/hanging/hanging.ts';
import { asHangingStudy } from '#reading/viewer/hanging/initial-hanging.ts';
import type { SeriesSummary } from '@radwork/contract/imaging/study-rows';
import { projectionOf } from '#reading/viewer/hanging/projection.ts';
import { firstImageNextTo } from '#reading/viewer/images/geometry/linked-slices.ts';
import { seriesImages } from '#reading/viewer/images/series/series-loader.ts';
import { slicesOf } from '#reading/viewer/standard/hanging/stack-links.ts';
import type { PaneContent } from '#reading/viewer/standard/panes/pane-content.ts';
import { counterpartOf } from './prior-choice.ts';

const imagesOf = async (client: QueryClient, { studyInstanceUID }: StudyDetails, series: SeriesSummary) =>
  client.fetchQuery({ ...seriesImages(studyInstanceUID, series.seriesInstanceUID), staleTime: Infinity });

/** Returns the films of the prior by their headers. Most modalities need none. */
const readFilms = async (client: QueryClient, prior: StudyDetails) => {
  const wanted = seriesToRead(asHangingStudy(prior));
  const read = wanted.map(async (one) => [one.seriesInstanceUID, await imagesOf(client, prior, one)] as const);
  return { series: wanted, images: new Map(await Promise.all(read)) };
};

/**
 * Fetches a prior and returns its content for each pane: the image of the same side and view, or the series of the same
 * kind at the same position in the patient. Undefined where the prior has no counterpart.
 */
export const hungPrior = async (
  client: QueryClient,
  study: StudyDetails,
  wanted: readonly (HungSeries | undefined)[],
  priorId: string,
): Promise<(PaneContent | undefined)[]> => {
  const prior = await client.fetchQuery(query(studies.get, { params: { id: priorId } }));
  if (prior.patient.id !== study.patient.id) return [];
  const films = await readFilms(client, prior);
  const used = new Set<SeriesSummary>();

  const counterpart = async (one: HungSeries): Promise<HungSeries | undefined> => {
    if (films.series.length > 0) {
      const header = (await imagesOf(client, study, one.series))[one.start]?.header;
      const film = header && filmLike(header, films.series, films.images);
      // A radiograph without a view has only its series to go by.
      if (film || (header && projectionOf(header).view !== '')) return film;
    }
    const series = counterpartOf(
      one.series,
      prior.series.filter((other) => !used.has(other)),
    );
    if (!series) return undefined;
    used.add(series);
    const theirs = await imagesOf(client, prior, series);
    const mine = await imagesOf(client, study, one.series);
    return { series, start: firstImageNextTo(slicesOf(mine), one.start, slicesOf(theirs)), window: one.window };
  };
  const found = await Promise.all(wanted.map(async (one) => (one ? counterpart(one) : undefined)));
  return found.map((one) => one && { ...one, study: prior });
};
