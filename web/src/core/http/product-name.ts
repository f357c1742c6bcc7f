import { ownOrganization } from '@radwork/contract/identity/tenants';
import { useQuery } from '@tanstack/react-query';
import { query } from './api.ts';
import { productName } from '#core/browser/product.ts';
import { useSession } from '#core/state/session.ts';

/** Returns the organization in an address: `?organization=north`, or the first part of `north.radwork.example`. */
export const organizationInAddress = ({ hostname, search }: Pick<Location, 'hostname' | 'search'>): string => {
  const requested = new URLSearchParams(search).get('organization')?.trim().toLowerCase();
  if (requested) return requested;
  const labels = hostname.split('.');
  return labels.length > 2 && !/^\d+$/.test(labels.at(-1) ?? '') ? (labels[0] ?? '') : '';
};

/**
 * Returns the product name set by the organization of the session or, without a session, by the organization in the
 * address. Default: the standard product name.
 */
export const useProductName = (): string => {
  const session = useSession();
  const organization = session?.tenant.subdomain ?? organizationInAddress(window.location);
  const { data } = useQuery({
    ...query(ownOrganization.brand, { query: { organization: organization } }),
    enabled: organization !== '',
    staleTime: 10 * 60_000,
    retry: false,
  });
  return data?.productName || productName;
};
