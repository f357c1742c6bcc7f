import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSession } from '#core/state/session.ts';
import { followLive } from '#core/live/live.ts';
import { useProductName } from '#core/http/product-name.ts';
import { useTitle } from './shell/use-title.ts';

/**
 * Around all pages: live changes and the tab title. The title never names a patient, because the browser history stores
 * it.
 */
export function Root() {
  const client = useQueryClient();
  useEffect(() => followLive(client), [client]);
  useEnrolling();
  const title = useTitle();
  const productName = useProductName();
  useEffect(() => {
    document.title = title ? `${title} · ${productName}` : productName;
  }, [title, productName]);
  return <Outlet />;
}

/** Leads to the setup of a second factor once the server requires it. */
const useEnrolling = () => {
  const router = useRouter();
  const isNeeded = useSession()?.user.secondFactor === 'NEEDED';
  useEffect(() => {
    // The guard of each page redirects there (guard.ts).
    if (isNeeded) void router.invalidate();
  }, [isNeeded, router]);
};
