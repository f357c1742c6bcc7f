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

  const toBottom = useCallback(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
    onBottomChange(true);
  }, [onBottomChange]);

  useLayoutEffect(() => {
    if (outgoingCount > sending.current) toBottom();
    sending.current = outgoingCount;
  }, [outgoingCount, toBottom]);

  // At every change: what is said of a message grows as well, such as that it was not sent.
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const moved = first.current && topOf(element, first.current.id) - first.current.top;
    if (isAtBottom) element.scrollTop = element.scrollHeight;
    else if (moved) element.scrollTop += moved;
    const id = messages[0]?.id;
    first.current = id === undefined ? undefined : { id, top: topOf(element, id) };
  });

  useEffect(() => {
    const element = list.current;
    if (!element) return;
    // The field below grows with what is typed, and the list gives way.
    const observer = new ResizeObserver(() => {
      if (isAtBottom) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [isAtBottom]);

  useEffect(() => {
    const element = list.current;
    // What does not fill the list cannot be scrolled to its top.
    if (element && element.clientHeight > 0 && element.scrollHeight <= element.clientHeight) onNearTop();
  }, [messages, onNearTop]);

  const onScroll = () => {
    const element = list.current;
    if (!element) return;
    onBottomChange(isNearBottom(element));
    if (element.scrollTop < topZone) onNearTop();
  };

  return { list, onScroll, toBottom };
};

const topOf = (list: Element, messageId: string): number =>
  list.querySelector<HTMLElement>(`[data-message="${messageId}"]`)?.offsetTop ?? 0;
