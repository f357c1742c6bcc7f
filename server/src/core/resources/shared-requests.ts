type Asked<V> = { answer: Promise<V>; next?: Promise<V> };

/**
 * Sends one request for all callers who ask the same question at the same time. A caller who asks while a request runs
 * waits for the next request, because the running one may return an older value. All waiting callers share the next
 * request.
 */
export const createSharedAnswers = <V>() => {
  const onTheirWay = new Map<string, Asked<V>>();

  const begin = (key: string, ask: () => Promise<V>): Promise<V> => {
    const asked: Asked<V> = { answer: ask() };
    onTheirWay.set(key, asked);
    const end = () => {
      if (!asked.next) onTheirWay.delete(key);
    };
    asked.answer.then(end, end);
    return asked.answer;
  };

  return (key: string, ask: () => Promise<V>): Promise<V> => {
    const asked = onTheirWay.get(key);
    if (!asked) return begin(key, ask);
    const askAnew = () => begin(key, ask);
    asked.next ??= asked.answer.then(askAnew, askAnew);
    return asked.next;
  };
};
