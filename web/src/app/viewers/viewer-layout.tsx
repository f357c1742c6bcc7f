import { Outlet } from '@tanstack/react-router';
import { FollowingNote } from './following-note.tsx';
import { PermittedScreen } from '#app/routing/permitted-screen.tsx';
import { VisitBanner } from '#app/tenants/visit-banner.tsx';
import styles from './viewer-layout.module.css';

/** Shows viewers without sidebar and header, so that nothing on the screen is brighter than the image. */
export function ViewerLayout() {
  return (
    <div className={styles.layout}>
      <VisitBanner />
      <FollowingNote />
      <main className={styles.viewer}>
        <PermittedScreen>
          <Outlet />
        </PermittedScreen>
      </main>
    </div>
  );
}
