import { z } from 'zod';
import { secondFactorPolicies } from './account.ts';
import { get, post, put, stream } from './endpoint.ts';
import { contradictingPatients, issuerOfWay } from './identities.ts';
import { page, pageQuery } from './paging.ts';
import { passwordLink, userForm } from './users.ts';

/** Labels that stand for the product itself, or for a service that is commonly found under such a name. */
export const reservedSubdomains = [
  'www',
  'api',
  'app',
  'admin',
  'administrator',
  'root',
  'system',
  'radwork',
  'login',
  'logout',
  'auth',
  'sso',
  'setup',
  'portal',
  'static',
  'assets',
  'cdn',
  'mail',
  'smtp',
  'ftp',
  'ns',
  'dns',
  'status',
  'support',
  'help',
  'docs',
  'dicom',
  'dicom-web',
  'pacs',
  'localhost',
] as const;

/** A label of a host name (RFC 1123), in lower case, that an organisation may have. */
export const subdomainText = z
  .string()
  .trim()
  .toLowerCase()
  .min(1, 'Subdomain is required')
  // Of an empty one it is only said that it is missing.
  .refine((text) => text.length !== 1 && text.length <= 63, 'A subdomain has 2 to 63 characters')
  .regex(/^[a-z0-9-]*$/, 'Only the letters a to z, digits and hyphens')
  .regex(/^[^-]?$|^[^-].*[^-]$/, 'It begins and ends with a letter or a digit')
  .refine((text) => !reservedSubdomains.some((word) => word === text), 'This subdomain is reserved');

/** Whether the clocks of an IANA zone are known here. */
export const isTimeZone = (name: string): boolean => {
  try {
    // What ECMAScript also takes, an offset, knows no summer time.
    return !/^[+-]/.test(name) && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
};

export const timeZoneText = z
  .string()
  .trim()
  .min(1, 'Time zone is required')
  .refine(isTimeZone, 'Choose a time zone of the IANA list, such as Europe/Berlin');

/** The languages that an organisation may say it works in, as BCP 47 tags. */
export const locales = [
  'en-GB',
  'en-US',
  'de-DE',
  'de-CH',
  'es-ES',
  'fr-FR',
  'it-IT',
  'nl-NL',
  'pl-PL',
  'pt-PT',
  'ru-RU',
  'tr-TR',
  'uk-UA',
  'zh-CN',
] as const;
export const localeText = z.enum(locales, 'Choose a language of the list');

export const organisationName = z
  .string()
  .trim()
  .min(1, 'Name is required')
  .max(120, 'The name is longer than 120 characters');

const quota = z
  .number('Enter whole bytes')
  .int('Enter whole bytes')
  .min(0, 'Not less than nothing')
  .max(2 ** 50, 'Not more than 1 PiB')
  .nullable();

export const tenantForm = z.object({
  name: organisationName,
  subdomain: subdomainText,
  timeZone: timeZoneText,
  locale: localeText,
  /** How many bytes its images may take up; null for as many as there is room for. */
  storageQuotaBytes: quota,
});
export type TenantForm = z.infer<typeof tenantForm>;

/** Who administers a new organisation first. */
export const firstAdministrator = z.object({
  username: userForm.shape.username,
  name: z.string().trim().min(1, 'Name is required').max(120, 'The name is longer than 120 characters'),
  email: z.email('Please enter a valid email address').max(254, 'The address is too long'),
});
export type FirstAdministrator = z.infer<typeof firstAdministrator>;

export const tenant = tenantForm.extend({
  id: z.string(),
  isActive: z.boolean(),
  suspendedAt: z.string().nullable(),
  suspendedReason: z.string(),
  createdAt: z.string(),
  storedBytes: z.number(),
  /** Users who may sign in, and how many of them are super administrators: these belong here, and act everywhere. */
  activeUsers: z.number(),
  superAdministrators: z.number(),
  /** Whether it is the caller's own: that cannot be suspended from within. */
  isHome: z.boolean(),
  /** Whether somebody has signed in or sent images: from then on the subdomain stays what it is. */
  isUsed: z.boolean(),
  revision: z.number(),
});
export type Tenant = z.infer<typeof tenant>;

export const tenantStates = ['ACTIVE', 'SUSPENDED'] as const;
export type TenantState = (typeof tenantStates)[number];

/** How the first administrator is to set a password. */
export const invitation = passwordLink.extend({ username: z.string() });

export const statusForm = z
  .object({ active: z.boolean(), reason: z.string().trim().max(500, 'The reason is longer than 500 characters') })
  .refine(({ active, reason }) => active || reason !== '', { path: ['reason'], message: 'Reason is required' });

/** The organisations of an installation. Only super administrators call these, wherever they are. */
export const tenants = {
  list: get('/tenants', {
    can: 'tenant.manage',
    query: z.object({
      ...pageQuery,
      query: z.string().trim().max(120).optional(),
      status: z.enum(tenantStates).optional(),
    }),
    reply: page(tenant),
  }),
  create: post('/tenants', {
    can: 'tenant.manage',
    body: tenantForm.extend({ administrator: firstAdministrator }),
    reply: z.object({ tenant, invitation }),
    successStatus: 201,
  }),
  get: get('/tenants/:id', { can: 'tenant.manage', reply: tenant }),
  update: put('/tenants/:id', {
    can: 'tenant.manage',
    body: tenantForm.extend({ revision: z.number().int() }),
    reply: tenant,
  }),
  /** Suspended: nobody signs in, links and devices are refused, work stops; every row and image is kept. */
  setStatus: put('/tenants/:id/status', { can: 'tenant.manage', body: statusForm, reply: tenant }),
};

/** All that is stored of an organisation but its secrets, one JSON object a line (application/x-ndjson). */
export const tenantExport = stream('GET', '/api/tenants/:id/export', 'tenant.manage');

/** What "Referring physicians see" says: studies that concern them, or all of the organisation (C78). */
export const referrerSights = ['OWN', 'ALL'] as const;

const days = (least: number, most: number) =>
  z
    .number('Enter whole days')
    .int('Enter whole days')
    .min(least, `At least ${least} days`)
    .max(most, `At most ${most} days`);

export const organisationForm = z.object({
  name: organisationName,
  timeZone: timeZoneText,
  locale: localeText,
  /** What the product is called here; empty for its own name. */
  productName: z.string().trim().max(40, 'The name is longer than 40 characters'),
  /** How many days a deleted study can be restored. */
  recycleBinDays: days(7, 365),
  /** For how many years the organisation wants its audit log kept. */
  auditYears: z
    .number('Enter whole years')
    .int('Enter whole years')
    .min(6, 'At least 6 years')
    .max(100, 'At most 100 years'),
  referrersSee: z.enum(referrerSights),
  secondFactorPolicy: z.enum(secondFactorPolicies),
  /** Which files are refused that contradict the patient who has their PatientID. */
  contradictingPatients: z.enum(contradictingPatients),
  /** Issuer of the patient IDs in uploaded files that name none. */
  uploadIssuer: issuerOfWay,
  revision: z.number().int(),
});
export type OrganisationForm = z.infer<typeof organisationForm>;

export const organisationSettings = organisationForm.extend({
  subdomain: z.string(),
  storedBytes: z.number(),
  storageQuotaBytes: z.number().nullable(),
});
export type OrganisationSettings = z.infer<typeof organisationSettings>;

/** The settings of the organisation that the caller is in. */
export const organisation = {
  read: get('/organisation', { can: 'config.manage', reply: organisationSettings }),
  save: put('/organisation', { can: 'config.manage', body: organisationForm, reply: organisationSettings }),
  /** What the product is called for an organisation; an unknown one gets the answer of one that has chosen nothing. */
  brand: get('/organisation/brand', {
    can: 'public',
    query: z.object({ organisation: z.string().trim().toLowerCase().max(253).optional() }),
    reply: z.object({ productName: z.string() }),
  }),
};

const setupToken = z.string().max(100);

/** The first start of an installation without any organisation. Everything is 404 but with the link that was printed. */
export const setup = {
  check: post('/setup/check', { can: 'public', body: z.object({ token: setupToken }) }),
  complete: post('/setup', {
    can: 'public',
    body: z.object({
      token: setupToken,
      name: organisationName,
      subdomain: subdomainText,
      timeZone: timeZoneText,
      administrator: firstAdministrator,
      password: z.string().min(1, 'Password is required').max(256, 'Password is too long'),
    }),
    reply: z.object({ subdomain: z.string() }),
  }),
};
