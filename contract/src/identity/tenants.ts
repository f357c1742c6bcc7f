import { t } from '../core/translate.ts';
import { z } from 'zod';
import { secondFactorPolicies } from './accounts.ts';
import { get, post, put, stream, notAudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { contradictingPatients, issuerOfWay } from '../core/patient-issuer.ts';
import { page, pageQuery } from '../core/paging.ts';
import { subdomainText } from './subdomains.ts';
import { passwordLink, userForm } from './users.ts';

/** Whether a name is a known IANA time zone. */
export const isTimeZone = (name: string): boolean => {
  try {
    // Excludes offsets, which ECMAScript also accepts but which have no daylight saving time.
    return !/^[+-]/.test(name) && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
};

export const timeZoneText = z
  .string()
  .trim()
  .min(1, { error: () => t`Time zone is required` })
  .refine(isTimeZone, { error: () => t`Choose an IANA time zone, such as America/New_York` });

/** Languages of an organization, as BCP 47 tags. */
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
export const localeText = z.enum(locales, { error: () => t`Choose a language from the list` });

export const organizationName = z
  .string()
  .trim()
  .min(1, { error: () => t`Name is required` })
  .max(120, { error: () => t`The name is longer than 120 characters` });

const quota = z
  .number({ error: () => t`Enter a whole number of bytes` })
  .int({ error: () => t`Enter a whole number of bytes` })
  .min(0, { error: () => t`Use 0 or more` })
  .max(2 ** 50, { error: () => t`Use at most 1 PiB` })
  .nullable();

export const tenantForm = z.object({
  name: organizationName,
  subdomain: subdomainText,
  timeZone: timeZoneText,
  locale: localeText,
  /** Storage limit in bytes; null for no limit. */
  storageQuotaBytes: quota,
});
export type TenantForm = z.infer<typeof tenantForm>;

/** First administrator of a new organization. */
export const firstAdministrator = z.object({
  username: userForm.shape.username,
  name: z
    .string()
    .trim()
    .min(1, { error: () => t`Name is required` })
    .max(120, { error: () => t`The name is longer than 120 characters` }),
  email: z
    .email({ error: () => t`Please enter a valid email address` })
    .max(254, { error: () => t`The address is too long` }),
});
export type FirstAdministrator = z.infer<typeof firstAdministrator>;

export const tenant = tenantForm.extend({
  id: z.string(),
  isActive: z.boolean(),
  suspendedAt: z.string().nullable(),
  suspendedReason: z.string(),
  createdAt: z.string(),
  storedBytes: z.number(),
  /**
   * Number of users who can sign in, and number of super administrators among them. Super administrators belong to this
   * organization but work in all organizations.
   */
  activeUsers: z.number(),
  superAdministrators: z.number(),
  /** Whether this is the caller's own organization, which the caller cannot suspend. */
  isHome: z.boolean(),
  /** Whether a user has signed in or files were uploaded. The subdomain can then no longer change. */
  isUsed: z.boolean(),
  revision: z.number(),
});
export type Tenant = z.infer<typeof tenant>;

export const tenantStates = ['ACTIVE', 'SUSPENDED'] as const;
export type TenantState = (typeof tenantStates)[number];

/** Link with which the first administrator sets a password. */
export const invitation = passwordLink.extend({ username: z.string() });

export const statusForm = z
  .object({
    active: z.boolean(),
    reason: z
      .string()
      .trim()
      .max(500, { error: () => t`The reason is longer than 500 characters` }),
  })
  .refine(({ active, reason }) => active || reason !== '', { path: ['reason'], error: () => t`Reason is required` });

/** Organizations of the installation. Only super administrators may call these endpoints. */
export const tenants = {
  list: get('/tenants', {
    can: 'tenant.manage',
    audited: notAudited.noPatient,
    query: z.object({
      ...pageQuery,
      query: z.string().trim().max(120).optional(),
      status: z.enum(tenantStates).optional(),
    }),
    reply: page(tenant),
  }),
  create: post('/tenants', {
    can: 'tenant.manage',
    audited: 'tenant.create',
    body: tenantForm.extend({ administrator: firstAdministrator }),
    reply: z.object({ tenant, invitation }),
    successStatus: 201,
  }),
  get: get('/tenants/:id', { can: 'tenant.manage', audited: notAudited.noPatient, reply: tenant }),
  update: put('/tenants/:id', {
    can: 'tenant.manage',
    audited: 'tenant.update',
    body: tenantForm.extend({ revision: z.number().int() }),
    reply: tenant,
  }),
  /**
   * Suspends or resumes an organization. While suspended, its data stay, but sign-in, links and application entities
   * are refused, and jobs stop.
   */
  setStatus: put('/tenants/:id/status', {
    can: 'tenant.manage',
    audited: 'tenant.suspend',
    body: statusForm,
    reply: tenant,
  }),
};

/** Exports all data of an organization except secrets, as one JSON object per line (application/x-ndjson). */
export const tenantExport = stream('GET', '/api/tenants/:id/export', 'tenant.manage', 'tenant.export');

/** Values of the setting "Referring physicians see": their own studies, or all studies of the organization. */
export const referrerSights = ['OWN', 'ALL'] as const;

const days = (least: number, most: number) =>
  z
    .number({ error: () => t`Enter whole days` })
    .int({ error: () => t`Enter whole days` })
    .min(least, { error: () => t`Use at least ${least} days` })
    .max(most, { error: () => t`Use at most ${most} days` });

export const organizationForm = z.object({
  name: organizationName,
  timeZone: timeZoneText,
  locale: localeText,
  /** Product name in this organization; empty for the default name. */
  productName: z
    .string()
    .trim()
    .max(40, { error: () => t`The name is longer than 40 characters` }),
  /** Number of days for which deleted studies are retained. */
  recycleBinDays: days(7, 365),
  /** Number of years for which the audit log is retained. */
  auditYears: z
    .number({ error: () => t`Enter whole years` })
    .int({ error: () => t`Enter whole years` })
    .min(6, { error: () => t`Use at least 6 years` })
    .max(100, { error: () => t`Use at most 100 years` }),
  referrersSee: z.enum(referrerSights),
  secondFactorPolicy: z.enum(secondFactorPolicies),
  /** How to handle files whose patient data do not match the patient with the same Patient ID. */
  contradictingPatients: z.enum(contradictingPatients),
  /** Issuer of the Patient IDs in uploaded files that name no issuer. */
  uploadIssuer: issuerOfWay,
  revision: z.number().int(),
});
export type OrganizationForm = z.infer<typeof organizationForm>;

export const organizationSettings = organizationForm.extend({
  subdomain: z.string(),
  storedBytes: z.number(),
  storageQuotaBytes: z.number().nullable(),
});
export type OrganizationSettings = z.infer<typeof organizationSettings>;

/** Settings of the caller's organization. */
export const ownOrganization = {
  read: get('/organization', { can: 'config.manage', audited: notAudited.noPatient, reply: organizationSettings }),
  save: put('/organization', {
    can: 'config.manage',
    audited: 'organisation.update',
    body: organizationForm,
    reply: organizationSettings,
  }),
  /** Product name of an organization. For an unknown organization, returns the default name. */
  brand: get('/organization/brand', {
    can: 'public',
    audited: notAudited.noPatient,
    query: z.object({ organization: z.string().trim().toLowerCase().max(253).optional() }),
    reply: z.object({ productName: z.string() }),
  }),
};

const setupToken = z.string().max(100);

/**
 * Setup of an installation without organizations. Only the link printed by the server works; other calls return 404.
 */
export const setup = {
  check: post('/setup/check', { can: 'public', audited: notAudited.noPatient, body: z.object({ token: setupToken }) }),
  complete: post('/setup', {
    can: 'public',
    audited: 'tenant.first',
    body: z.object({
      token: setupToken,
      name: organizationName,
      subdomain: subdomainText,
      timeZone: timeZoneText,
      administrator: firstAdministrator,
      password: z
        .string()
        .min(1, { error: () => t`Password is required` })
        .max(256, { error: () => t`Password is too long` }),
    }),
    reply: z.object({ subdomain: z.string() }),
  }),
};

export const noun = {
  calls: [tenants, ownOrganization, setup],
  streams: [tenantExport],
  entities: ['tenant'],
  actions: {
    'Sign-in and permissions': {
      'tenant.enter': 'Switched to another organization',
    },
    'Users and organization': {
      'organisation.update': 'Edited organization',
      'tenant.first': 'Set up installation',
      'tenant.create': 'Created organization',
      'tenant.update': 'Edited another organization',
      'tenant.suspend': 'Suspended organization',
      'tenant.resume': 'Resumed organization',
      'tenant.export': 'Exported organization',
      'tenant.restore': 'Restored from backup',
    },
  },
} as const satisfies Noun;
