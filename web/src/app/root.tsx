import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSession } from '#core/state/session.ts';
import { followLive } from '#core/live/live.ts';
import { useProductName } from '#core/http/product-name.ts';
import { loadOnDemand } from '#ui/feedback/on-demand.tsx';
import { useTitle } from './shell/use-title.ts';
import { isImagesWindow } from './viewers/images-window.ts';

const FollowStudy = loadOnDemand(async () => (await import('./viewers/follow-study.tsx')).FollowStudy);

/**
 * Wraps all pages. Follows live changes and sets the tab title. The title never names a patient, because the browser
 * history stores it.
 */
export function Root() {
  const client = useQueryClient();
  useEffect(() => followLive(client), [client]);
  useEnrolling();
  const title = useTitle();
  const productName = useProductName();
  const session = useSession();
  useEffect(() => {
    document.title = title ? `${title} · ${productName}` : productName;
  }, [title, productName]);
  return (
    <>
      <Outlet />
      {session && isImagesWindow() && <FollowStudy key={session.user.id} />}
    </>
  );
}

/** Opens the setup of a second factor as soon as the server requires it. */
const useEnrolling = () => {
  const router = useRouter();
  const isNeeded = useSession()?.user.secondFactor === 'NEEDED';
  useEffect(() => {
    // Runs the guards of the routes again, which redirect to the setup (guard.ts).
    if (isNeeded) void router.invalidate();
  }, [isNeeded, router]);
};
