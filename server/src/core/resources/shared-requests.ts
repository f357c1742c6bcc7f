type SharedRequest<V> = { answer: Promise<V>; next?: Promise<V> };

/**
 * Sends one request for all callers who ask the same question at the same time. A caller who asks while a request runs
 * waits for the next request, because the running one may return an older value. All waiting callers share the next
 * request.
 */
export const createSharedAnswers = <V>() => {
  const onTheirWay = new Map<string, SharedRequest<V>>();

  const begin = (key: string, load: () => Promise<V>): Promise<V> => {
    const request: SharedRequest<V> = { answer: load() };
    onTheirWay.set(key, request);
    const end = () => {
      if (!request.next) onTheirWay.delete(key);
    };
    request.answer.then(end, end);
    return request.answer;
  };

  return (key: string, load: () => Promise<V>): Promise<V> => {
    const request = onTheirWay.get(key);
    if (!request) return begin(key, load);
    const askAgain = () => begin(key, load);
    request.next ??= request.answer.then(askAgain, askAgain);
    return request.next;
  };
};
