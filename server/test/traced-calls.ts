/**
 * Returns each call of an strace log at the place where the call ended. Calls of other threads may separate the two
 * halves of a call.
 */
export const callsIn = (log: string): string[] => {
  const unfinishedCalls = new Map<string, string>();
  return log.split('\n').flatMap((line) => {
    const [, thread = '', call = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    if (call.endsWith(' <unfinished ...>')) {
      unfinishedCalls.set(thread, call.replace(' <unfinished ...>', ''));
      return [];
    }
    const [resumed] = /^<\.\.\. \w+ resumed>/.exec(call) ?? [];
    return [resumed ? `${unfinishedCalls.get(thread) ?? ''}${call.slice(resumed.length)}` : call];
  });
};
