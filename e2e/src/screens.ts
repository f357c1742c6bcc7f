import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Access, defaultPermissions, hasAccess, type UserType } from '@radwork/contract/core/access';

const folder = resolve(import.meta.dirname, '../../web/src/app/routing');
const files = readdirSync(folder)
  .filter((name) => /^(router|[a-z-]+-routes)\.tsx$/.test(name))
  .map((name) => resolve(folder, name));

export type Screen = { path: string; can: Access };

/** Paths that only redirect. */
const leadsOn = ['/', '/pages', '/studies-search'];

type Route = Screen & { isPublic: boolean };

/** All routes with a page, read from the router's source files. */
const routes = async (): Promise<Route[]> => {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const declared = texts.flatMap((text) => text.split('createRoute({').slice(1));
  return declared.flatMap((route) => {
    const [, path] = /path: '([^']+)'/.exec(route) ?? [];
    if (path === undefined) return unnamed(route);
    if (leadsOn.includes(path)) return [];
    const [, can] = /can: '([^']+)'/.exec(route) ?? [];
    if (can === undefined) throw new Error(`${path} does not say who may open it in a way that the journeys can read`);
    return [{ path, can: can as Access, isPublic: can === 'public' }];
  });
};

/** Skips the return path of the sign-in provider, which shows no page. */
const unnamed = (route: string): Route[] => {
  if (route.includes('path: signedInAgainPath')) return [];
  throw new Error(`A route does not say its path in a way that the journeys can read: ${route.slice(0, 120)}`);
};

/** Paths of all pages, as the router writes them. */
export const allPaths = async (): Promise<string[]> => (await routes()).map(({ path }) => path);

const withoutChoice = (path: string): string => path.replaceAll(/\/\{-\$\w+\}/g, '');

/** The screen for users who must set up a second factor. It shows other users nothing. */
export const enrolling = '/second-factor';

/** Screens after sign-in whose path needs no id, read from the router so that none is missed. */
export const screensBehindSignIn = async (): Promise<Screen[]> =>
  (await routes())
    .filter(({ path, isPublic }) => !isPublic && !withoutChoice(path).includes('$') && path !== enrolling)
    .map(({ path, can }) => ({ path: withoutChoice(path), can }));

/** True if the built-in role of a user type may open a screen. */
export const mayOpen = (userType: UserType, { can }: Screen): boolean =>
  hasAccess(can, userType, (permission) => defaultPermissions[userType].includes(permission));
