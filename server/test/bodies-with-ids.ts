import { joined } from './all-samples.ts';
import { bodyOf, type Call, contractCalls, type RecordIds } from './contract-calls.ts';
import { nobody } from './feature-samples.ts';

export const guardedWrites: readonly Call[] = contractCalls.filter(
  ({ method, can, url }) => method !== 'GET' && can !== 'public' && !/^\/api\/tenants(\/|$)/.test(url),
);

/** UIDs of a series and an image in the bodies of `bodyOf`. */
const uids = ['2.25.1', '2.25.2'];

const fields = joined(({ fields: ofFeature }) => ofFeature);

/** The ids that a body may name, by field. */
export const idsByField = (recordIds: RecordIds, differenceId: string): Record<string, string> => ({
  ...Object.fromEntries(Array.from(fields, ([field, name]) => [field, String(Object(recordIds)[name])])),
  differenceId,
});

/** Returns the body of a call with the ids of a tenant; undefined if the body names no ids. */
export const bodyNaming = (call: Call, ids: Record<string, string>): object | undefined => {
  // A super administrator names the new organization when moving a user; users.test.ts tests that.
  if (call.name === 'PUT /api/users/:id/tenant') return undefined;
  const body = bodyOf(call);
  if (!body || !JSON.stringify(body).includes(nobody)) return undefined;
  const filled = Object.entries(body).map(([field, value]) => {
    if (!JSON.stringify(value).includes(nobody)) return [field, value];
    const id = ids[field];
    if (!id) throw new Error(`Say in feature.samples.ts whose id ${field} is in ${call.name}`);
    return [field, Array.isArray(value) ? [id] : id];
  });
  return Object.fromEntries(filled);
};

/** Returns the body of a call with the ids and images of the tenant. */
export const bodyAbout = (call: Call, recordIds: RecordIds, differenceId: string): object | undefined => {
  const body = bodyNaming(call, idsByField(recordIds, differenceId)) ?? bodyOf(call);
  if (!body) return undefined;
  const text = JSON.stringify(body);
  const [series, instance] = uids.map((uid) => JSON.stringify(uid));
  const filled = text
    .replaceAll(series ?? '', JSON.stringify(recordIds.seriesUid))
    .replaceAll(instance ?? '', JSON.stringify(recordIds.instanceUid));
  return filled === JSON.stringify(bodyOf(call)) ? undefined : JSON.parse(filled);
};
