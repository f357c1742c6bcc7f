import { notifications } from '@mantine/notifications';

/** How long a message stays, in milliseconds; hovering holds it. */
export const toastTime = 3000;

const show = (tone: 'success' | 'info' | 'danger') => (message: string) => {
  // The words tell how it went; the coloured edge only repeats it.
  notifications.show({ message, autoClose: toastTime, 'data-tone': tone });
};

/** Says what happened, bottom right. A failure that matters also stays where it happened. */
export const toast = { success: show('success'), info: show('info'), failure: show('danger') };
