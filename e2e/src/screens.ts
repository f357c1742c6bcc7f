import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Access, defaultPermissions, isLetIn, type UserType } from '@radwork/contract/access';

const files = ['router.tsx', 'screen-routes.tsx'].map((name) =>
  resolve(import.meta.dirname, '../../web/src/app', name),
);

export type Screen = { path: string; can: Access };

/** Where they lead on to another page at once. */
const leadsOn = ['/', '/pages', '/studies-search'];

type Route = Screen & { isPublic: boolean };

/** All routes with a page of their own, as the router's own files declare them. */
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

/** Where another provider leads back to is no page that anybody looks at. */
const unnamed = (route: string): Route[] => {
  if (route.includes('path: signedInAgainPath')) return [];
  throw new Error(`A route does not say its path in a way that the journeys can read: ${route.slice(0, 120)}`);
};

/** The addresses of all pages, as the router writes them. */
export const allPaths = async (): Promise<string[]> => (await routes()).map(({ path }) => path);

const withoutChoice = (path: string): string => path.replaceAll(/\/\{-\$\w+\}/g, '');

/** Shows nothing but to somebody who has to set up a second factor. */
export const enrolling = '/second-factor';

/** The screens behind sign-in that open without an id. A new one is not forgotten. */
export const screensBehindSignIn = async (): Promise<Screen[]> =>
  (await routes())
    .filter(({ path, isPublic }) => !isPublic && !withoutChoice(path).includes('$') && path !== enrolling)
    .map(({ path, can }) => ({ path: withoutChoice(path), can }));

/** Whether somebody with the built-in role of a type may open a screen. */
export const mayOpen = (userType: UserType, { can }: Screen): boolean =>
  isLetIn(can, userType, (permission) => defaultPermissions[userType].includes(permission));
