import { reports } from '@radwork/contract/reading/reports';
import type { QueuedStudy } from '@radwork/contract/reading/reading-queue';
import { studies } from '@radwork/contract/imaging/studies';
import { type QueryClient, type QueryMeta, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { query } from '#core/http/api.ts';
import { fetchInAdvance, inAdvance } from '#core/http/prefetch.ts';
import { whenIdle } from '#core/browser/when-idle.ts';
import { hasRecentInput } from '#core/state/attention.ts';
import { may } from '#core/state/session.ts';
import { reportOfStudy } from '#reading/reports/panel/report-actions.ts';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';

/** Fetches the first images of a study. The viewer supplies it (app/viewers/viewer-with-report.tsx). */
export type PrefetchImages = (client: QueryClient, study: StudyDetails, meta: QueryMeta) => Promise<unknown>;

/**
 * Fetches the next studies of the queue while the reader reads: facts, first images and report. They then open without
 * waiting.
 */
export const usePrefetchedStudies = (
  queued: readonly QueuedStudy[] | undefined,
  prefetchImages: PrefetchImages,
): void => {
  const client = useQueryClient();
  const ids = queued?.map(({ id }) => id).join(' ') ?? '';
  useEffect(() => {
    if (ids === '') return undefined;
    return whenIdle(() => {
      // On an unattended page, these calls would keep the session open.
      if (hasRecentInput()) void prefetchStudies(client, ids.split(' '), prefetchImages);
    });
  }, [client, ids, prefetchImages]);
};

/** Fetches facts, first images and reports of studies, one study after the other. */
export const prefetchStudies = async (
  client: QueryClient,
  ids: readonly string[],
  prefetchImages: PrefetchImages,
): Promise<void> => {
  for (const id of ids) {
    try {
      const study = await fetchInAdvance(client, query(studies.get, { params: { id } }));
      if (may(reports.ofStudy)) void fetchInAdvance(client, reportOfStudy(id)).catch(() => undefined);
      await prefetchImages(client, study, inAdvance);
    } catch {
      // The study is fetched again when it opens, and then shows the error.
    }
  }
};
