import { notifications } from '@radwork/contract/identity/notifications';
import type { Routes } from '#core/http/http.ts';
import { readPreferences, savePreferences } from './preferences.ts';
import { clearAll, list, markAllRead, markRead, remove, restore } from './service.ts';

export const notificationRoutes = ({ serve }: Routes) => {
  serve(notifications.list, (scope, { query }) => list(scope, query));
  serve(notifications.markRead, (scope, { params }) => markRead(scope, params.id));
  serve(notifications.markAllRead, (scope, { query }) => markAllRead(scope, query.until));
  serve(notifications.clearAll, (scope, { query }) => clearAll(scope, query.until));
  serve(notifications.remove, (scope, { params }) => remove(scope, params.id));
  serve(notifications.restore, (scope, { params }) => restore(scope, params.id));
  serve(notifications.preferences, readPreferences);
  serve(notifications.savePreferences, (scope, { body }) => savePreferences(scope, body));
};
