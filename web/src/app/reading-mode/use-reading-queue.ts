import { t } from '@lingui/core/macro';
import { defaultReadingQueue, type ReadingQueue, readingQueueChoice } from '@radwork/contract/reading/reading-queue';
import { toast } from '#core/browser/toasts.ts';
import { setPreference, useRememberedText } from '#core/state/preferences.ts';
import { readSession } from '#core/state/session.ts';

/** Name under which this browser stores the queue, for each user. */
const queuePreference = (): string => `reading.queue.${readSession()?.user.id ?? ''}`;

/** Stores the queue with which the reading mode begins. */
export const rememberQueue = (queue: ReadingQueue): void => setPreference(queuePreference(), queue);

/** Returns the queue with which the reading mode begins. */
export const useReadingQueue = (): ReadingQueue => {
  const [remembered] = useRememberedText(queuePreference());
  return readingQueueChoice.safeParse(remembered).data ?? defaultReadingQueue;
};

/** Says that a chosen queue no longer exists, and stores the queue that the server offers instead. */
export const replaceQueue = (queue: ReadingQueue): void => {
  rememberQueue(queue);
  toast.info(t`The chosen queue was deleted or is no longer shared with you. The standard queue is shown.`);
};
