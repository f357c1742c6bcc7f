import { outreach } from '@radwork/contract/reading/outreach';
import { webhooks } from '@radwork/contract/reading/webhooks';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import type { Scope } from '#core/access/scope.ts';
import { addDevice, removeDevice } from './devices.ts';
import { pushKeyOf } from './push-key.ts';
import { save, settingsOf } from './settings.ts';
import { create, list, remove, retry, queueTest, update } from './webhooks.ts';

export const outreachRoutes = ({ serve }: Routes, { config, scopes, vault }: Context) => {
  const settings = async (scope: Scope) => {
    const key = await pushKeyOf(scopes, vault);
    return settingsOf(scope, { config, pushKey: key?.publicKey ?? '' });
  };
  serve(outreach.settings, (scope) => settings(scope));
  serve(outreach.save, async (scope, { body }) => {
    await save(scope, body);
    return settings(scope);
  });
  serve(outreach.addDevice, async (scope, { body }) => {
    await addDevice(scope, vault, body);
    return settings(scope);
  });
  serve(outreach.removeDevice, async (scope, { params }) => {
    await removeDevice(scope, params.id);
    return settings(scope);
  });
  serve(webhooks.list, (scope) => list(scope));
  serve(webhooks.create, (scope, { body }) => create(scope, vault, body));
  serve(webhooks.update, (scope, { params, body }) => update(scope, params.id, body));
  serve(webhooks.remove, (scope, { params }) => remove(scope, params.id));
  serve(webhooks.test, (scope, { params }) => queueTest(scope, params.id));
  serve(webhooks.retry, (scope, { params }) => retry(scope, params.id));
};
