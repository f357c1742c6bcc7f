import { notifications } from '@mantine/notifications';

/** How long a message stays, in milliseconds; hovering holds it. */
export const toastTime = 3000;

const show = (tone: 'success' | 'info' | 'danger') => (message: string) => {
  // The words tell how it went; the coloured edge only repeats it.
  notifications.show({ message, autoClose: toastTime, 'data-tone': tone });
};

/** Says, once at a time, that the server has been asked too often and what waits comes by itself. */
export const noteHeldUp = () =>
  notifications.show({
    id: 'held-up',
    message: 'Too many calls at once. What is missing is asked for again in a moment.',
    autoClose: toastTime,
    'data-tone': 'info',
  });

/** Says what happened, bottom right. A failure that matters also stays where it happened. */
export const toast = { success: show('success'), info: show('info'), failure: show('danger') };
