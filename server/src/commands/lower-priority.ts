import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Gives this process a low priority (10), so that a command does not slow the server down on the same machine. With the
 * lowest, uploads would wait long for the locks of upkeep and verify. The priority of reading and writing files follows it (ioprio_set(2)). In Linux, each thread has its own priority, and a
 * new thread takes that of the thread that starts it.
 */
export const lowerPriority = (): void => {
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [process.pid];
  for (const thread of threads) {
    try {
      setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {
      // The thread has ended meanwhile.
    }
  }
};
