type Asked<V> = { answer: Promise<V>; next?: Promise<V> };

/**
 * Asks once for all callers with the same question at the same time. A caller during a pending answer gets the next
 * one, so that no answer is older than its question. All waiting callers share it.
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
