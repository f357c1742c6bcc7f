import { Outlet, useMatches } from '@tanstack/react-router';
import { useEffect } from 'react';
import { productName } from '#core/product.ts';

/** What surrounds every page: the name of the tab. It never names a patient, because it ends up in the browser's history. */
export function Root() {
  const title = useMatches({ select: (matches) => matches.at(-1)?.staticData.title });
  useEffect(() => {
    document.title = title ? `${title} · ${productName}` : productName;
  }, [title]);
  return <Outlet />;
}
