import { z } from 'zod';
import { t } from '../core/translate.ts';

/** Subdomains that are not allowed, because users could mistake them for the product or a common service. */
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

/** Subdomain of an organization: one part of a host name (RFC 1123) in lower case. */
export const subdomainText = z
  .string()
  .trim()
  .toLowerCase()
  .min(1, { error: () => t`Subdomain is required` })
  // Skips empty text, because another rule already reports it as missing.
  .refine((text) => text.length !== 1 && text.length <= 63, { error: () => t`Use 2 to 63 characters` })
  .regex(/^[a-z0-9-]*$/, { error: () => t`Use the letters a to z, digits and hyphens only` })
  .regex(/^[^-]?$|^[^-].*[^-]$/, { error: () => t`Begin and end with a letter or digit` })
  .refine((text) => !reservedSubdomains.some((word) => word === text), { error: () => t`This subdomain is reserved` });
