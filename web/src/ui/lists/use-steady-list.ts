import { useMutationState } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

/** Time after an action of the user in which list changes count as its effect. In milliseconds. */
const aftermath = 10_000;

/** Time after which a resting pointer or focus no longer holds the rows. In milliseconds. */
const restsAfter = 30_000;

type Row = { id: string };

type Answer<Item> = {
  items: readonly Item[] | undefined;
  /** Time of the answer, in milliseconds since 1970. */
  at: number;
  /** The query of this answer. Undefined while it still answers an earlier query. */
  to: string | undefined;
  /** True if new rows may follow the held ones. Otherwise they wait, as on a page of fixed size. */
  hasRoom?: boolean;
  /** True if rows stay in place even after own actions, where one press acts at once. */
  holdsOwnChanges?: boolean;
};

/**
 * Rows to show. Lists refetch on each change, and a row that moves under the pointer opens the wrong patient. Held rows
 * therefore keep their places and show new content; `showNew` applies the new order. Own changes show at once, unless
 * they are held too.
 */
export const useSteadyList = <Item extends Row>({
  items,
  at,
  to,
  hasRoom = false,
  holdsOwnChanges = false,
}: Answer<Item>) => {
  const { isHeld, onHold } = useHold();
  const changes = useMutationState({ filters: { status: 'success' }, select: ({ state }) => state.submittedAt });
  const isOwnChange = !holdsOwnChanges && changes.some((changedAt) => at >= changedAt && at - changedAt < aftermath);
  const now = { items, to };
  const [kept, setKept] = useState(now);
  // An empty list has nothing to point at. A list that became empty has nothing to press.
  const isSteady =
    isHeld && to !== undefined && to === kept.to && !isOwnChange && Boolean(kept.items?.length && items?.length);
  const isMoved = isSteady && !areInSameOrder(kept.items, items);
  if (!isMoved && (kept.items !== items || kept.to !== to)) setKept(now);
  return {
    items: isMoved ? withHeldOrder(kept.items, items, hasRoom) : items,
    isMoved,
    /** Checks whether a row was removed and only keeps its place. Its content is outdated. */
    hasLeft: (id: string) => isMoved && !items?.some((item) => item.id === id),
    showNew: () => setKept(now),
    onHold,
    /** Pointer handlers for rows without keyboard navigation. They belong on an element that stays without rows. */
    pointing: {
      onPointerEnter: () => onHold(true),
      onPointerMove: () => onHold(true),
      onPointerLeave: () => onHold(false),
    },
  };
};

/** Each input calls `onHold` again. Rows without input for 30 s are released. */
const useHold = () => {
  const [isHeld, setHeld] = useState(false);
  const resting = useRef<number>(undefined);
  useEffect(() => () => window.clearTimeout(resting.current), []);
  const onHold = (isPointedAt: boolean) => {
    window.clearTimeout(resting.current);
    if (isPointedAt) resting.current = window.setTimeout(() => setHeld(false), restsAfter);
    setHeld(isPointedAt);
  };
  return { isHeld, onHold };
};

const areInSameOrder = (one: readonly Row[] = [], other: readonly Row[] = []): boolean =>
  one.length === other.length && one.every(({ id }, at) => id === other[at]?.id);

const withHeldOrder = <Item extends Row>(
  kept: readonly Item[] = [],
  answer: readonly Item[] = [],
  hasRoom: boolean,
): readonly Item[] => {
  const renewed = new Map(answer.map((item) => [item.id, item]));
  const known = new Set(kept.map(({ id }) => id));
  const places = kept.map((item) => renewed.get(item.id) ?? item);
  return hasRoom ? [...places, ...answer.filter(({ id }) => !known.has(id))] : places;
};
