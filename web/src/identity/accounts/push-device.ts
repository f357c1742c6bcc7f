import { t } from '@lingui/core/macro';
import { registerPushWorker } from '#core/browser/start-worker.ts';

/** Whether this browser supports push messages. Safari on iPhones supports them only for pages on the home screen. */
export const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

/** Subscribes this browser to push messages. Returns undefined if the user does not allow notifications. */
export const subscribeToPush = async (pushKey: string) => {
  if ((await Notification.requestPermission()) !== 'granted') return undefined;
  const registration = await registerPushWorker();
  await isActive(registration);
  const known = await registration.pushManager.getSubscription();
  // Removes a subscription that has another key, because it would block the new subscription.
  await known?.unsubscribe();
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: bytesOf(pushKey),
  });
  const { endpoint = '', keys = {} } = subscription.toJSON();
  return { endpoint, p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '', label: browserName() };
};

const isActive = async ({ installing, waiting, active }: ServiceWorkerRegistration): Promise<void> => {
  const worker = installing ?? waiting;
  if (active || !worker) return;
  await new Promise<void>((resolve) => {
    worker.addEventListener('statechange', () => {
      if (worker.state === 'activated') resolve();
    });
  });
};

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.codePointAt(0) ?? 0);

const browserName = (): string => {
  const { userAgent } = navigator;
  const browser = /Firefox|Edg|Chrome|Safari/.exec(userAgent)?.[0] ?? t`Browser`;
  const system = /Android|iPhone|iPad|Windows|Mac OS X|Linux/.exec(userAgent)?.[0];
  const name = browser === 'Edg' ? 'Edge' : browser;
  return system ? t`${name} on ${system}` : name;
};
