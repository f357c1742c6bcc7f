import { t } from '@lingui/core/macro';
import { notifications } from '@mantine/notifications';

/** Time until a message disappears, in milliseconds. While the pointer is on the message, it stays. */
export const toastTime = 3000;

const show = (tone: 'success' | 'info' | 'danger') => (message: string) => {
  // The text names the outcome; the colored edge only repeats it.
  notifications.show({ message, autoClose: toastTime, 'data-tone': tone });
};

/** Shows one message at a time. It says that the server limits calls and that they will be repeated. */
export const showRateLimited = () =>
  notifications.show({
    id: 'held-up',
    message: t`Too many requests. Missing data will load in a moment.`,
    autoClose: toastTime,
    'data-tone': 'info',
  });

/** Shows a message at the bottom right. Important failures must also be shown in place. */
export const toast = { success: show('success'), info: show('info'), failure: show('danger') };
