import { TenantsScreen } from '#identity/tenants/tenants-screen.tsx';
import { useTenantSwitch } from './use-tenant-switch.ts';

/** Screen /tenants: organizations, which the user can enter. */
export function TenantsPage() {
  return <TenantsScreen onEnter={useTenantSwitch()} />;
}
