import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSession } from '#core/session.ts';
import { followLive } from '#core/live.ts';
import { useProductName } from '#core/brand.ts';
import { useTitle } from './use-title.ts';

/** What surrounds every page: changes made elsewhere, and the name of the tab. It never names a patient, because it ends up in the browser's history. */
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

/** Leads to where a second factor is set up as soon as the server has said that there is no way around it. */
const useEnrolling = () => {
  const router = useRouter();
  const isNeeded = useSession()?.user.secondFactor === 'NEEDED';
  useEffect(() => {
    // The guard of every page asks, and sends there (guard.ts).
    if (isNeeded) void router.invalidate();
  }, [isNeeded, router]);
};
