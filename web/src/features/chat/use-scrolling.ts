import type { ChatMessage } from '@radwork/contract/chat';
import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';

/** So close to the bottom, in pixels, it counts as being there. */
const tolerance = 50;
/** So close to the top, in pixels, older messages are asked for. */
const topZone = 80;

const isNearBottom = (list: Element): boolean => list.scrollHeight - list.scrollTop - list.clientHeight <= tolerance;

type Scrolling = {
  messages: readonly ChatMessage[];
  /** Messages at the end that are not among those yet. */
  outgoingCount: number;
  isAtBottom: boolean;
  onBottomChange: (isAtBottom: boolean) => void;
  onNearTop: () => void;
};

/**
 * Keeps a list of messages where its reader is: at the bottom while they are there, and at the same message while older
 * ones come in above. Whoever writes goes to the bottom.
 */
export const useScrolling = ({ messages, outgoingCount, isAtBottom, onBottomChange, onNearTop }: Scrolling) => {
  const list = useRef<HTMLDivElement>(null);
  const first = useRef<{ id: string; top: number }>(undefined);
  const sending = useRef(outgoingCount);
  /** How far down the list is, as far as is known here. */
  const placed = useRef(0);

  const placeAtBottom = useCallback((element: Element) => {
    element.scrollTop = element.scrollHeight;
    placed.current = element.scrollTop;
  }, []);

  const toBottom = useCallback(() => {
    if (list.current) placeAtBottom(list.current);
    onBottomChange(true);
  }, [onBottomChange, placeAtBottom]);

  /** Stays at the bottom, unless the reader has scrolled up and the browser has not said so yet. */
  const stayAtBottom = useCallback(
    (element: Element) => {
      const isLeaving = element.scrollTop + tolerance < placed.current && !isNearBottom(element);
      if (!isLeaving) placeAtBottom(element);
    },
    [placeAtBottom],
  );

  useLayoutEffect(() => {
    if (outgoingCount > sending.current) toBottom();
    sending.current = outgoingCount;
  }, [outgoingCount, toBottom]);

  // At every change: what is said of a message grows as well, such as that it was not sent.
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const moved = first.current && topOf(element, first.current.id) - first.current.top;
    if (isAtBottom) stayAtBottom(element);
    else if (moved) element.scrollTop += moved;
    const id = messages[0]?.id;
    first.current = id === undefined ? undefined : { id, top: topOf(element, id) };
  });

  useEffect(() => {
    const element = list.current;
    if (!element) return;
    // The field below grows with what is typed, and the list gives way.
    const observer = new ResizeObserver(() => {
      if (isAtBottom) stayAtBottom(element);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [isAtBottom, stayAtBottom]);

  useEffect(() => {
    const element = list.current;
    // What does not fill the list cannot be scrolled to its top.
    if (element && element.clientHeight > 0 && element.scrollHeight <= element.clientHeight) onNearTop();
  }, [messages, onNearTop]);

  const onScroll = () => {
    const element = list.current;
    if (!element) return;
    placed.current = element.scrollTop;
    onBottomChange(isNearBottom(element));
    if (element.scrollTop < topZone) onNearTop();
  };

  return { list, onScroll, toBottom };
};

const topOf = (list: Element, messageId: string): number =>
  list.querySelector<HTMLElement>(`[data-message="${messageId}"]`)?.offsetTop ?? 0;
