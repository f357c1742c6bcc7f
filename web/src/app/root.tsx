import { useQueryClient } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { followLive } from '#core/live.ts';
import { productName } from '#core/product.ts';
import { useTitle } from './use-title.ts';

/** What surrounds every page: changes made elsewhere, and the name of the tab. It never names a patient, because it ends up in the browser's history. */
export function Root() {
  const client = useQueryClient();
  useEffect(() => followLive(client), [client]);
  const title = useTitle();
  useEffect(() => {
    document.title = title ? `${title} · ${productName}` : productName;
  }, [title]);
  return <Outlet />;
}
