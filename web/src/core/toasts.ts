import { notifications } from '@mantine/notifications';

/** How long a message stays, in milliseconds; hovering or focusing it holds it. */
export const toastTime = { ordinary: 3000, configuration: 5000, note: 2000 } as const;

type Options = { title?: string; time?: number };

const show =
  (tone: 'success' | 'danger' | 'info', defaultTime: number) =>
  (message: string, { title, time = defaultTime }: Options = {}) => {
    // The tone is announced by the words; the coloured edge only repeats it.
    notifications.show({ message, title, autoClose: time, 'data-tone': tone });
  };

/** Says what happened, bottom right, above the status bar. A failure that matters also stays where it happened. */
export const toast = {
  success: show('success', toastTime.ordinary),
  failure: show('danger', toastTime.ordinary),
  note: show('info', toastTime.note),
};
