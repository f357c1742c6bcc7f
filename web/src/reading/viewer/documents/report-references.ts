import { t } from '@lingui/core/macro';
import { type ContentItem, framesText } from '@radwork/dicom/content-tree';
import type { SeriesSummary, StudyDetails } from '@radwork/contract/imaging/study-rows';
import { queryOptions } from '@tanstack/react-query';
import { fetchBytes } from '#core/http/api.ts';
import { type DicomJson, numberOf, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { isDocuments, isShowable, seriesKindLabel } from '#reading/viewer/images/series/series-kinds.ts';

/** Instance of the study to which a report refers. */
export type ReferredInstance = { series: SeriesSummary; sopInstanceUID: string; number: number | undefined };

/** Number of UIDs in one request. They are part of the URL, whose length is limited. */
const atOnce = 50;
/** Maximum number of references to look up for one report. */
export const mostReferred = 1000;

/** Returns the UIDs of all instances that a report refers to, without duplicates. */
export const referredIn = (item: ContentItem): string[] => {
  const all = (one: ContentItem): string[] => [
    ...one.references.map(({ sopInstanceUID }) => sopInstanceUID),
    ...one.children.flatMap(all),
  ];
  return [...new Set(all(item))].filter((uid) => /^[\d.]{1,64}$/.test(uid)).slice(0, mostReferred);
};

const findInstances = async (studyUid: string, uids: readonly string[], signal: AbortSignal): Promise<DicomJson[]> => {
  const path = `/api/qido-rs/studies/${studyUid}/instances?SOPInstanceUID=${uids.join(',')}&limit=${uids.length}`;
  const answer = await (await fetchBytes(path, { accept: 'application/dicom+json', signal })).text();
  // An empty response means that nothing matches (PS3.18 §8.3.4.4).
  return answer === '' ? [] : JSON.parse(answer);
};

/** Looks up which of the instances the study contains (QIDO-RS, PS3.18 §10.6). */
export const referredInstances = (study: StudyDetails, uids: readonly string[]) =>
  queryOptions({
    queryKey: ['viewer', 'referred', study.studyInstanceUID, uids],
    queryFn: async ({ signal }) => {
      const parts = Array.from({ length: Math.ceil(uids.length / atOnce) }, (_, at) =>
        uids.slice(at * atOnce, (at + 1) * atOnce),
      );
      const instances = await Promise.all(parts.map((part) => findInstances(study.studyInstanceUID, part, signal)));
      return instances.flat();
    },
    enabled: uids.length > 0,
    staleTime: 60_000,
  });

/** Returns the found instances that belong to series of the study, by SOPInstanceUID. */
export const referredBy = (
  study: StudyDetails,
  instances: readonly DicomJson[],
): ReadonlyMap<string, ReferredInstance> =>
  new Map(
    instances.flatMap((instance) => {
      const series = study.series.find((one) => one.seriesInstanceUID === textOf(instance, tag.SeriesInstanceUID));
      const sopInstanceUID = textOf(instance, tag.SOPInstanceUID);
      if (!series) return [];
      return [[sopInstanceUID, { series, sopInstanceUID, number: numberOf(instance, tag.InstanceNumber) }] as const];
    }),
  );

/** Whether the viewer can show the instance: an image or a document. */
export const canGoTo = ({ series }: ReferredInstance): boolean => isShowable(series) || isDocuments(series);

/** Describes a reference, such as "Series 1 · Image 12 · Frame 3". */
export const wordsOf = ({ series, number }: ReferredInstance, frames: readonly number[]): string => {
  const what = isShowable(series) ? t`Image` : seriesKindLabel(series);
  const { seriesNumber } = series;
  const frameNumbers = framesText(frames);
  return [
    seriesNumber === null ? '' : t`Series ${seriesNumber}`,
    number === undefined ? what : `${what} ${number}`,
    frames.length > 0 ? t`Frame ${frameNumbers}` : '',
  ]
    .filter(Boolean)
    .join(' · ');
};
