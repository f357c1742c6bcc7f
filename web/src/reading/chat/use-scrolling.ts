import type { ChatMessage } from '@radwork/contract/reading/chat';
import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';

/** Within this distance of the bottom, in pixels, the list counts as at the bottom. */
const tolerance = 50;
/** Within this distance of the top, in pixels, older messages are loaded. */
const topZone = 80;

const isNearBottom = (list: Element): boolean => list.scrollHeight - list.scrollTop - list.clientHeight <= tolerance;

type ScrollingOptions = {
  messages: readonly ChatMessage[];
  /** Number of unsent messages below `messages`. */
  outgoingCount: number;
  isAtBottom: boolean;
  onBottomChange: (isAtBottom: boolean) => void;
  onNearTop: () => void;
};

/**
 * Controls the scroll position of a message list. At the bottom, the list stays at the bottom. While older messages
 * load above, the shown message stays in place. Sending a message scrolls to the bottom.
 */
export const useScrolling = ({ messages, outgoingCount, isAtBottom, onBottomChange, onNearTop }: ScrollingOptions) => {
  const list = useRef<HTMLDivElement>(null);
  const first = useRef<{ id: string; top: number }>(undefined);
  const sending = useRef(outgoingCount);
  /** Scroll position that was last set or reported, in pixels. */
  const lastPosition = useRef(0);

  const placeAtBottom = useCallback((element: Element) => {
    element.scrollTop = element.scrollHeight;
    lastPosition.current = element.scrollTop;
  }, []);

  const toBottom = useCallback(() => {
    if (list.current) placeAtBottom(list.current);
    onBottomChange(true);
  }, [onBottomChange, placeAtBottom]);

  /**
   * Scrolls to the bottom. Leaves the position alone if the reader has just scrolled up and the scroll event is still
   * pending.
   */
  const stayAtBottom = useCallback(
    (element: Element) => {
      const isLeaving = element.scrollTop + tolerance < lastPosition.current && !isNearBottom(element);
      if (!isLeaving) placeAtBottom(element);
    },
    [placeAtBottom],
  );

  useLayoutEffect(() => {
    if (outgoingCount > sending.current) toBottom();
    sending.current = outgoingCount;
  }, [outgoingCount, toBottom]);

  // Runs at every render, because a message may also grow, for example when sending fails.
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
    // The message field below grows with its text, which shrinks the list.
    const observer = new ResizeObserver(() => {
      if (isAtBottom) stayAtBottom(element);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [isAtBottom, stayAtBottom]);

  useEffect(() => {
    const element = list.current;
    // A list that fits into its frame cannot be scrolled to its top, so older messages are loaded here.
    if (element && element.clientHeight > 0 && element.scrollHeight <= element.clientHeight) onNearTop();
  }, [messages, onNearTop]);

  const onScroll = () => {
    const element = list.current;
    if (!element) return;
    lastPosition.current = element.scrollTop;
    onBottomChange(isNearBottom(element));
    if (element.scrollTop < topZone) onNearTop();
  };

  return { list, onScroll, toBottom };
};

const topOf = (list: Element, messageId: string): number =>
  list.querySelector<HTMLElement>(`[data-message="${messageId}"]`)?.offsetTop ?? 0;
