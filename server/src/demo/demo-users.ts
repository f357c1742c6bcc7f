import type { UserType } from '@radwork/contract/core/access';

export type DemoUser = { username: string; name: string; userType: UserType };

export type DemoTenant = {
  subdomain: 'demo' | 'north';
  name: string;
  users: readonly DemoUser[];
  /** The user who uploads the studies of the tenant. */
  uploader: string;
};

/** The two tenants of the demo. They show that no tenant sees the other. */
export const demoTenants: readonly [DemoTenant, DemoTenant] = [
  {
    subdomain: 'demo',
    name: 'Riverside Imaging',
    uploader: 'admin',
    users: [
      { username: 'super', name: 'Ines Duarte', userType: 'SUPER_ADMIN' },
      { username: 'admin', name: 'Tomasz Zieliński', userType: 'ADMIN' },
      { username: 'radiologist', name: 'Dr Hannah Weiss', userType: 'RADIOLOGIST' },
      { username: 'reviewer', name: 'Dr Samuel Adeyemi', userType: 'RADIOLOGIST' },
      { username: 'referrer', name: 'Dr Claire Moreau', userType: 'REFERRING_PHYSICIAN' },
    ],
  },
  {
    subdomain: 'north',
    name: 'North Clinic',
    uploader: 'north.admin',
    users: [
      { username: 'north.admin', name: 'Freya Lindqvist', userType: 'ADMIN' },
      { username: 'north.radiologist', name: 'Dr Aksel Berg', userType: 'RADIOLOGIST' },
    ],
  },
];
