import { studies } from '@radwork/contract/imaging/studies';
import { type PriorOrder, priorOrders, type PriorStudy } from '@radwork/contract/imaging/study-rows';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { query } from '#core/http/api.ts';
import { usePreference } from '#core/state/preferences.ts';

/** Returns the patient's other studies, in the user's preferred order. */
export const usePriors = (
  studyId: string,
): { priors: UseQueryResult<PriorStudy[]>; order: PriorOrder; setOrder: (order: PriorOrder) => void } => {
  const [order, setOrder] = usePreference('priors-order', priorOrders);
  const priors = useQuery(query(studies.priors, { params: { id: studyId }, query: { order } }));
  return { priors, order, setOrder };
};
