/*
 * The modules of the server, lowest first. A module imports itself and those before it; it reaches later ones through
 * core/extensions.ts. Each folder of features/ is in exactly one module. `scripts/modules` holds the imports against
 * this table, and `npm run graph` draws them.
 */

type Module = { name: string; holds: string; features: readonly string[] };

export const modules: readonly Module[] = [
  {
    name: 'identity',
    holds: 'Tenants, users, their rights, sign-in and signatures, audit',
    features: [
      'accounts',
      'application-entities',
      'audit',
      'credentials',
      'health',
      'live',
      'notifications',
      'roles',
      'sessions',
      'signing-holds',
      'signing-means',
      'single-sign-on',
      'tenants',
      'user-records',
      'users',
    ],
  },
  {
    name: 'imaging',
    holds: 'Patients, studies, images and their transfer',
    features: [
      'archive',
      'dimse',
      'identities',
      'identity-marks',
      'import-jobs',
      'patient-records',
      'patients',
      'remote-archives',
      'stored-files',
      'studies',
      'study-documents',
    ],
  },
  {
    name: 'reading',
    holds: 'Worklist, reports and everything that becomes of them',
    features: [
      'chat',
      'critical-contacts',
      'critical-findings',
      'drafting',
      'kept-layouts',
      'key-images',
      'library',
      'macros',
      'measurements',
      'outreach',
      'portal',
      'reading-locks',
      'report-autosaves',
      'report-checks',
      'report-delivery',
      'report-pictures',
      'report-records',
      'reporting-settings',
      'reports',
      'saved-pictures',
      'sharing',
      'templates',
      'workflow',
    ],
  },
  { name: 'knowledge', holds: 'Atlas and guidelines', features: ['atlas', 'guidelines'] },
  { name: 'insight', holds: 'Dashboard, statistics and search across everything', features: ['dashboard', 'search'] },
];
