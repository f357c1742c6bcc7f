import { type PriorOrder, priorOrders, type PriorStudy, studies } from '@radwork/contract/studies';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { query } from '#core/api.ts';
import { usePreference } from '#core/preferences.ts';

/** The other studies of a study's patient, in the order that this person prefers. */
export const usePriors = (
  studyId: string,
): { priors: UseQueryResult<PriorStudy[]>; order: PriorOrder; setOrder: (order: PriorOrder) => void } => {
  const [order, setOrder] = usePreference('priors-order', priorOrders);
  const priors = useQuery(query(studies.priors, { params: { id: studyId }, query: { order } }));
  return { priors, order, setOrder };
};
