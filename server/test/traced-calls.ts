/** Each call in a log of strace, with the line on which it ended; those of other threads may stand between its two halves. */
export const callsIn = (log: string): string[] => {
  const begun = new Map<string, string>();
  return log.split('\n').flatMap((line) => {
    const [, thread = '', call = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    if (call.endsWith(' <unfinished ...>')) {
      begun.set(thread, call.replace(' <unfinished ...>', ''));
      return [];
    }
    const [resumed] = /^<\.\.\. \w+ resumed>/.exec(call) ?? [];
    return [resumed ? `${begun.get(thread) ?? ''}${call.slice(resumed.length)}` : call];
  });
};
