import type { SeriesSummary, StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useQuery } from '@tanstack/react-query';
import { firstFitSeries } from '#reading/viewer/volumes/first-fit-series.ts';

/** Returns the series named in the address by ID or UID, or else the first suitable series. */
export const useSeriesToCut = (study: StudyDetails, namedSeries: string | undefined) => {
  const search = useQuery({ ...firstFitSeries(study), enabled: namedSeries === undefined });
  const isWanted = ({ id, seriesInstanceUID }: SeriesSummary) =>
    namedSeries === undefined ? seriesInstanceUID === search.data : [id, seriesInstanceUID].includes(namedSeries);
  return { series: study.series.find(isWanted), error: search.error, isSearching: search.isLoading };
};
