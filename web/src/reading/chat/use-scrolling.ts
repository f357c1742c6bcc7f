import type { ChatMessage } from '@radwork/contract/reading/chat';
import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';

/** Within this distance of the bottom, in pixels, the list counts as at the bottom. */
const tolerance = 50;
/** Within this distance of the top, in pixels, older messages are loaded. */
const topZone = 80;

const isNearBottom = (list: Element): boolean => list.scrollHeight - list.scrollTop - list.clientHeight <= tolerance;

type Scrolling = {
  messages: readonly ChatMessage[];
  /** Number of unsent messages below `messages`. */
  outgoingCount: number;
  isAtBottom: boolean;
  onBottomChange: (isAtBottom: boolean) => void;
  onNearTop: () => void;
};

/**
 * Keeps the scroll position of a message list: at the bottom, or at the same message while older ones load above.
 * Sending a message scrolls to the bottom.
 */
export const useScrolling = ({ messages, outgoingCount, isAtBottom, onBottomChange, onNearTop }: Scrolling) => {
  const list = useRef<HTMLDivElement>(null);
  const first = useRef<{ id: string; top: number }>(undefined);
  const sending = useRef(outgoingCount);
  /** The scroll position last set or reported, in pixels. */
  const placed = useRef(0);

  const placeAtBottom = useCallback((element: Element) => {
    element.scrollTop = element.scrollHeight;
    placed.current = element.scrollTop;
  }, []);

  const toBottom = useCallback(() => {
    if (list.current) placeAtBottom(list.current);
    onBottomChange(true);
  }, [onBottomChange, placeAtBottom]);

  /** Stays at the bottom, unless the reader has scrolled up and the browser has not reported it yet. */
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

  // Runs at every render: a message also grows, for example when sending fails.
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
    // The field below grows with its text, and the list shrinks.
    const observer = new ResizeObserver(() => {
      if (isAtBottom) stayAtBottom(element);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [isAtBottom, stayAtBottom]);

  useEffect(() => {
    const element = list.current;
    // A list that does not fill its frame cannot be scrolled to its top.
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
