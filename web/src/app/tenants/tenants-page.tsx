import { TenantsScreen } from '#identity/tenants/tenants-screen.tsx';
import { useTenantSwitch } from './use-tenant-switch.ts';

/** /tenants: organizations, which can be entered. */
export function TenantsPage() {
  return <TenantsScreen onEnter={useTenantSwitch()} />;
}
