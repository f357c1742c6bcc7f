import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Gives this process the lowest priority, so that a command does not slow the server down on the same machine. The
 * priority of reading and writing files follows it (ioprio_set(2)). In Linux, each thread has its own priority, and a
 * new thread takes that of the thread that starts it.
 */
export const lowerPriority = (): void => {
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [process.pid];
  for (const thread of threads) {
    try {
      setPriority(thread, constants.priority.PRIORITY_LOW);
    } catch {
      // The thread has ended meanwhile.
    }
  }
};
