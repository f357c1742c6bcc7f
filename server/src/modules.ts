/*
 * The modules of server, contract and web, lowest first. A module may import itself and the modules before it. On the
 * server, a module reaches later ones through core/events/extensions.ts. The module of a feature is its folder.
 * `scripts/modules` checks the imports against this order, and `npm run graph` draws them.
 */

type Module = { name: string; holds: string };

export const modules: readonly Module[] = [
  { name: 'identity', holds: 'Tenants, users, their rights, sign-in and signatures, audit' },
  { name: 'imaging', holds: 'Patients, studies, images and their transfer' },
  { name: 'reading', holds: 'Worklist, reports and everything that becomes of them' },
  { name: 'knowledge', holds: 'Atlas and guidelines' },
  { name: 'insight', holds: 'Dashboard, statistics and search across everything' },
];
