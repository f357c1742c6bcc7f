import { studies } from '@radwork/contract/imaging/studies';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import type { QueryClient } from '@tanstack/react-query';
import { query } from '#core/http/api.ts';
import { imageLike, type HungSeries, seriesToRead } from '#reading/viewer/hanging/hanging.ts';
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

/** Returns the projection images of the prior by their headers. Most modalities need none. */
const readProjectionImages = async (client: QueryClient, prior: StudyDetails) => {
  const seriesList = seriesToRead(asHangingStudy(prior));
  const read = seriesList.map(async (one) => [one.seriesInstanceUID, await imagesOf(client, prior, one)] as const);
  return { series: seriesList, images: new Map(await Promise.all(read)) };
};

/**
 * Fetches a prior and returns its content for each pane: the image of the same side and view, or the series of the same
 * kind at the same position in the patient. Undefined where the prior has no counterpart.
 */
export const hungPrior = async (
  client: QueryClient,
  study: StudyDetails,
  panes: readonly (HungSeries | undefined)[],
  priorId: string,
): Promise<(PaneContent | undefined)[]> => {
  const prior = await client.fetchQuery(query(studies.get, { params: { id: priorId } }));
  if (prior.patient.id !== study.patient.id) return [];
  const priorImages = await readProjectionImages(client, prior);
  const used = new Set<SeriesSummary>();

  const counterpart = async (one: HungSeries): Promise<HungSeries | undefined> => {
    if (priorImages.series.length > 0) {
      const header = (await imagesOf(client, study, one.series))[one.start]?.header;
      const match = header && imageLike(header, priorImages.series, priorImages.images);
      // A radiograph without a view has only its series to go by.
      if (match || (header && projectionOf(header).view !== '')) return match;
    }
    const series = counterpartOf(
      one.series,
      prior.series.filter((other) => !used.has(other)),
    );
    if (!series) return undefined;
    used.add(series);
    const otherImages = await imagesOf(client, prior, series);
    const mine = await imagesOf(client, study, one.series);
    return { series, start: firstImageNextTo(slicesOf(mine), one.start, slicesOf(otherImages)), window: one.window };
  };
  const counterparts = await Promise.all(panes.map(async (pane) => (pane ? counterpart(pane) : undefined)));
  return counterparts.map((one) => one && { ...one, study: prior });
};
