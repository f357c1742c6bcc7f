import { studies } from '@radwork/contract/imaging/studies';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { query } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';
import type { Hanging } from '#reading/viewer/hanging/hanging.ts';
import { priorToHang } from '#reading/viewer/standard/priors/prior-choice.ts';
import { hungPrior } from '#reading/viewer/standard/priors/hung-prior.ts';

/** Longest time in ms for which the images of a study wait for the list of its priors. */
const patience = 1500;

/** Other studies of the patient, the most similar first. */
export const priorsOf = (studyId: string) =>
  query(studies.priors, { params: { id: studyId }, query: { order: 'relevance' } });

/** Finds the prior that hangs next to a study. `isWaiting` while the list of priors may still arrive. */
export const usePriorToHang = (study: StudyDetails, isWanted: boolean) => {
  const [isLate, setLate] = useState(false);
  const isAsked = isWanted && may(studies.priors);
  const { data, isPending, failureCount } = useQuery({ ...priorsOf(study.id), enabled: isAsked });
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patience);
    return () => clearTimeout(timer);
  }, []);
  return {
    isWaiting: isAsked && isPending && failureCount === 0 && !isLate,
    prior: isAsked && data ? priorToHang(study, data) : undefined,
  };
};

/** State of the panes of a prior. */
export type PriorState = 'loading' | 'failed' | 'none';

/** Fetches the content for the panes of a prior. */
export const useHungPrior = (study: StudyDetails, hanging: Hanging | undefined, priorId: string | undefined) => {
  const client = useQueryClient();
  const wanted = hanging?.priorPanes ?? [];
  const names = wanted.map((one) => one && `${one.series.seriesInstanceUID} ${one.start}`);
  const { data, isError } = useQuery({
    queryKey: ['hung-prior', study.id, priorId, names],
    queryFn: () => hungPrior(client, study, wanted, priorId ?? ''),
    enabled: priorId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
  });
  return {
    contentOf: (pane: number) => data?.[pane],
    /** State of a pane of the prior without content. Undefined for panes of the study itself. */
    stateOf: (pane: number): PriorState | undefined => {
      if (!wanted[pane]) return undefined;
      if (data) return 'none';
      return isError ? 'failed' : 'loading';
    },
  };
};
