import { Outlet } from '@tanstack/react-router';
import { useFocusOnNavigation } from '#app/shell/use-focus-on-navigation.ts';
import { FollowingNote } from './following-note.tsx';
import { PermittedScreen } from '#app/routing/permitted-screen.tsx';
import { VisitBanner } from '#app/tenants/visit-banner.tsx';
import styles from './viewer-layout.module.css';

/**
 * Viewer and study in a path. The path after them names the series, which is chosen in the viewer, so the focus stays
 * where it is.
 */
export const viewerOfStudy = (pathname: string): string => pathname.split('/').slice(0, 3).join('/');

/**
 * Shows viewers without sidebar and header, so that nothing on the screen is brighter than the image. The focus moves to
 * the next study of the reading mode with it, and back to the study when a dialog closes.
 */
export function ViewerLayout() {
  const main = useFocusOnNavigation(viewerOfStudy);
  return (
    <div className={styles.layout}>
      <VisitBanner />
      <FollowingNote />
      <main ref={main} tabIndex={-1} className={styles.viewer}>
        <PermittedScreen>
          <Outlet />
        </PermittedScreen>
      </main>
    </div>
  );
}
