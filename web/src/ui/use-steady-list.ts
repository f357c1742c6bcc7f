import { useMutationState } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

/** So long after somebody has changed something here, a list that differs is taken for the consequence. In milliseconds. */
const aftermath = 10_000;

/** A pointer or a focus that rests for so long has been left there: nobody is about to press. In milliseconds. */
const restsAfter = 30_000;

type Row = { id: string };

type Answer<Item> = {
  items: readonly Item[] | undefined;
  /** When it came, in milliseconds since 1970. */
  at: number;
  /** What was asked; undefined while this is still the answer to an earlier question. */
  to: string | undefined;
  /** Whether what is new follows those that keep their places; else it waits, as where a page has so many rows. */
  hasRoom?: boolean;
  /** Whether rows also keep their places after what the person does here: where one press does something at once. */
  isOwnHeld?: boolean;
};

/**
 * The rows to show. Lists are fetched again whenever somebody changes something, and a row that moves under the
 * pointer opens the wrong patient: while rows are held they keep their places, with what is new in each of them, and
 * `showNew` puts them as they are by now. What the person changes here shows at once, unless it is held as well.
 */
export const useSteadyList = <Item extends Row>({
  items,
  at,
  to,
  hasRoom = false,
  isOwnHeld = false,
}: Answer<Item>) => {
  const { isHeld, onHold } = useHold();
  const changes = useMutationState({ filters: { status: 'success' }, select: ({ state }) => state.submittedAt });
  const isOwnChange = !isOwnHeld && changes.some((changedAt) => at >= changedAt && at - changedAt < aftermath);
  const now = { items, to };
  const [kept, setKept] = useState(now);
  // Where there was nothing to point at, nothing moves; where there is nothing any more, nothing else is pressed.
  const isSteady =
    isHeld && to !== undefined && to === kept.to && !isOwnChange && Boolean(kept.items?.length && items?.length);
  const isMoved = isSteady && !areInSameOrder(kept.items, items);
  if (!isMoved && (kept.items !== items || kept.to !== to)) setKept(now);
  return {
    items: isMoved ? inKeptPlaces(kept.items, items, hasRoom) : items,
    isMoved,
    /** Whether a row is only there because it keeps its place: what it says is no longer so. */
    hasLeft: (id: string) => isMoved && !items?.some((item) => item.id === id),
    showNew: () => setKept(now),
    onHold,
    /** For rows that nobody walks: what has them on the page, and stays there when there are none. */
    pointing: {
      onPointerEnter: () => onHold(true),
      onPointerMove: () => onHold(true),
      onPointerLeave: () => onHold(false),
    },
  };
};

/** `onHold` is told again whenever somebody does something, so that rows which only have been left are let go. */
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

const inKeptPlaces = <Item extends Row>(
  kept: readonly Item[] = [],
  answer: readonly Item[] = [],
  hasRoom: boolean,
): readonly Item[] => {
  const renewed = new Map(answer.map((item) => [item.id, item]));
  const known = new Set(kept.map(({ id }) => id));
  const places = kept.map((item) => renewed.get(item.id) ?? item);
  return hasRoom ? [...places, ...answer.filter(({ id }) => !known.has(id))] : places;
};
