import type { StudyPage } from '@radwork/contract/studies';
import { useMutationState } from '@tanstack/react-query';
import { useState } from 'react';

/** So long after somebody has changed something here, a list that differs is taken for the consequence. In milliseconds. */
const aftermath = 10_000;

type Answer = {
  page: StudyPage | undefined;
  /** When it came, in milliseconds since 1970. */
  at: number;
  /** What was asked; undefined while this is still the answer to an earlier question. */
  to: string | undefined;
};

/**
 * The page to show. Lists are fetched again whenever somebody changes something, and a row that moves under the
 * pointer opens the wrong patient: while rows are held they keep their places, with what is new in each of them, and
 * `showNew` puts them as they are by now. What the person changes here shows at once.
 */
export const useSteadyPage = ({ page, at, to }: Answer, isHeld: boolean) => {
  const changes = useMutationState({ filters: { status: 'success' }, select: ({ state }) => state.submittedAt });
  const isOwnChange = changes.some((changedAt) => at >= changedAt && at - changedAt < aftermath);
  const now = { page, to };
  const [kept, setKept] = useState(now);
  const isSteady = isHeld && to !== undefined && to === kept.to && !isOwnChange;
  const isMoved = isSteady && !areInSameOrder(kept.page, page);
  if (!isMoved && (kept.page !== page || kept.to !== to)) setKept(now);
  return { page: isMoved ? inKeptPlaces(kept.page, page) : page, isMoved, showNew: () => setKept(now) };
};

const areInSameOrder = (one: StudyPage | undefined, other: StudyPage | undefined): boolean =>
  one?.content.length === other?.content.length &&
  (one?.content ?? []).every(({ id }, at) => id === other?.content[at]?.id);

const inKeptPlaces = (kept: StudyPage | undefined, answer: StudyPage | undefined): StudyPage | undefined => {
  if (!kept || !answer) return answer;
  const renewed = new Map(answer.content.map((study) => [study.id, study]));
  return { ...answer, content: kept.content.map((study) => renewed.get(study.id) ?? study) };
};
