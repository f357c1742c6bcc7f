import { Outlet } from '@tanstack/react-router';
import { Permitted } from './permitted.tsx';
import styles from './viewer-layout.module.css';

/** The frame of the viewers: none. Nothing on screen is brighter than the image. */
export function ViewerLayout() {
  return (
    <main className={styles.viewer}>
      <Permitted>
        <Outlet />
      </Permitted>
    </main>
  );
}
