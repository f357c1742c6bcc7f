import { studies } from '@radwork/contract/imaging/studies';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { may } from '#core/state/session.ts';
import type { Hanging } from '#reading/viewer/hanging/hanging.ts';
import { priorsOf } from '#reading/viewer/standard/hanging/priors-query.ts';
import { priorToHang } from '#reading/viewer/standard/priors/prior-choice.ts';
import { hungPrior } from '#reading/viewer/standard/priors/hung-prior.ts';

/** Longest time in ms for which the images of a study wait for the list of its priors. */
const patience = 1500;

/** Finds the prior that hangs next to a study. `isWaiting` while the list of priors may still arrive. */
export const usePriorToHang = (study: StudyDetails, isWanted: boolean) => {
  const [isLate, setLate] = useState(false);
  const isEnabled = isWanted && may(studies.priors);
  const { data, isPending, failureCount } = useQuery({ ...priorsOf(study.id), enabled: isEnabled });
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patience);
    return () => clearTimeout(timer);
  }, []);
  return {
    isWaiting: isEnabled && isPending && failureCount === 0 && !isLate,
    prior: isEnabled && data ? priorToHang(study, data) : undefined,
  };
};

/** State of the panes of a prior. */
export type PriorState = 'loading' | 'failed' | 'none';

/** Fetches the content for the panes of a prior. */
export const useHungPrior = (study: StudyDetails, hanging: Hanging | undefined, priorId: string | undefined) => {
  const client = useQueryClient();
  const priorPanes = hanging?.priorPanes ?? [];
  const names = priorPanes.map((priorPane) => priorPane && `${priorPane.series.seriesInstanceUID} ${priorPane.start}`);
  const { data, isError } = useQuery({
    queryKey: ['hung-prior', study.id, priorId, names],
    queryFn: () => hungPrior(client, study, priorPanes, priorId ?? ''),
    enabled: priorId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
  });
  return {
    contentOf: (pane: number) => data?.[pane],
    /** State of a pane of the prior without content. Undefined for panes of the study itself. */
    stateOf: (pane: number): PriorState | undefined => {
      if (!priorPanes[pane]) return undefined;
      if (data) return 'none';
      return isError ? 'failed' : 'loading';
    },
  };
};
