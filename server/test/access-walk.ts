import { type UserType, userTypes } from '@radwork/contract/core/access';
import { newId } from '#core/values/ids.ts';
import { orNotFound } from '#core/http/problem.ts';
import { allSamples } from './all-samples.ts';
import { addressOf, type Call, idNames, type RecordIds } from './contract-calls.ts';
import type { Ids } from './feature-samples.ts';
import type { FullTenant } from './full-tenant.ts';
import type { Person, World } from './world.ts';

export const personOf = ({ people }: Pick<FullTenant, 'people'>, type: UserType): Person =>
  orNotFound(people.get(type), 'user');

export const as = ({ token }: Pick<Person, 'token'>) => ({ authorization: `Bearer ${token}` });

export type CallAnswer = { statusCode: number; payload: string; headers: Record<string, unknown> };

let strangers = 0;
const strangersAddress = () => `10.1.${(strangers += 1) >> 8}.${strangers & 255}`;

/** Sends a call of the contract about the named records. */
export const sending =
  (world: Pick<World, 'request'>) =>
  (call: Call, recordIds: RecordIds, headers: Record<string, string>, payload?: object | string): Promise<CallAnswer> =>
    world.request({
      method: call.method,
      url: addressOf(call, recordIds),
      // Calls without a session are counted by address.
      ...(call.can === 'public' && { remoteAddress: strangersAddress() }),
      headers: { ...headers, ...(payload !== undefined && { 'content-type': 'application/json' }) },
      ...(payload !== undefined && { payload }),
    });

/** Returns a body without its random parts: the trace id and the multipart boundary. */
export const comparable = ({ payload, headers }: Omit<CallAnswer, 'statusCode'>): string => {
  const [, boundary] = /boundary="?([^";]+)/.exec(String(headers['content-type'])) ?? [];
  const body = payload.replace(/"traceId":"[^"]+"/, '');
  return boundary ? body.replaceAll(boundary, '') : body;
};

export const isRefusal = ({ statusCode, payload }: CallAnswer, code: number, message: string): boolean =>
  statusCode === code && payload.startsWith(`{"code":${code},`) && payload.includes(`"message":"${message}"`);

/** Texts that only members of a tenant may see. If a reply to another user contains one, it is a leak. */
export const canariesOf = ({ tenant, people, ...ids }: FullTenant, mark: string): string[] => [
  mark,
  tenant.subdomain,
  // A number, such as a report version, does not identify a tenant.
  ...Object.values(ids).filter((id) => typeof id === 'string'),
  ...userTypes.map((type) => orNotFound(people.get(type), 'user').username),
];

/** Returns ids that match no record. */
export const unknownIds = (): RecordIds => {
  const ids: Ids = Object.fromEntries(Array.from(idNames, (name) => [name, newId()]));
  // The cast is safe, because the samples together contain every ID that a URL can hold.
  return Object.assign(ids, ...allSamples.map(({ unknown }) => unknown?.())) as RecordIds;
};
