import { useMutationState } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

/** Time in milliseconds after a user action. A change of the list within this time counts as its effect. */
const aftermath = 10_000;

/** Time in milliseconds without input after which pointer or focus no longer hold the rows. */
const restsAfter = 30_000;

type Row = { id: string };

type Answer<Item> = {
  items: readonly Item[] | undefined;
  /** Time of the response, in milliseconds since 1970. */
  at: number;
  /** Query to which the items belong. Undefined while they still belong to an earlier query. */
  to: string | undefined;
  /**
   * Whether new rows may appear below the held rows. If not, as on a page of fixed size, new rows stay hidden until the
   * rows are released.
   */
  hasRoom?: boolean;
  /**
   * Whether rows stay in place even after actions of the user. Set it for lists where a single press triggers an
   * action.
   */
  holdsOwnChanges?: boolean;
};

/**
 * Returns the rows to show. Lists refetch on each change, and a row that moves under the pointer would open the wrong
 * patient. So while rows are held, they keep their places and show new content. `showNew` applies the new order. The
 * user's own changes show at once, unless `holdsOwnChanges` is set.
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
  // Holds nothing if the list was empty or becomes empty, because there is no row to press.
  const isSteady =
    isHeld && to !== undefined && to === kept.to && !isOwnChange && Boolean(kept.items?.length && items?.length);
  const isMoved = isSteady && !areInSameOrder(kept.items, items);
  if (!isMoved && (kept.items !== items || kept.to !== to)) setKept(now);
  return {
    items: isMoved ? withHeldOrder(kept.items, items, hasRoom) : items,
    isMoved,
    /** Whether a row was removed from the list but is still shown at its place. Its content is then outdated. */
    hasLeft: (id: string) => isMoved && !items?.some((item) => item.id === id),
    showNew: () => setKept(now),
    onHold,
    /** Pointer handlers for rows without keyboard navigation. Put them on an element that exists even without rows. */
    pointing: {
      onPointerEnter: () => onHold(true),
      onPointerMove: () => onHold(true),
      onPointerLeave: () => onHold(false),
    },
  };
};

/** Each input calls `onHold` again. After 30 s without input, the rows are released. */
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
  held: readonly Item[] = [],
  answer: readonly Item[] = [],
  hasRoom: boolean,
): readonly Item[] => {
  const renewed = new Map(answer.map((item) => [item.id, item]));
  const known = new Set(held.map(({ id }) => id));
  const places = held.map((item) => renewed.get(item.id) ?? item);
  return hasRoom ? [...places, ...answer.filter(({ id }) => !known.has(id))] : places;
};
