// Shows push messages while no page of Radwork is open, and opens what they are about. They name no patient.
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('push', (event) => {
  const { id = '', title = 'Radwork', body = '', link = '/', isCritical = false } = event.data?.json() ?? {};
  event.waitUntil(
    self.registration.showNotification(title, { body, tag: id, data: { link }, requireInteraction: isCritical }),
  );
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { link = '/' } = event.notification.data ?? {};
  // A page of this application and no other, whatever the message says.
  const target = new URL(link, self.location.origin);
  if (target.origin === self.location.origin) event.waitUntil(self.clients.openWindow(target.href));
});
