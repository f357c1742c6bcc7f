import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { Notice } from '#ui/feedback/notice.tsx';
import type { Arrival } from '#reading/viewer/volumes/volume.ts';
import { canLoadAgain, namesOf } from '#reading/viewer/volumes/volume-fitness.ts';
import styles from './fusion-viewer.module.css';

type Layer = { name: string; arrival: Arrival; retry: () => void };

/** Shows the progress of both volumes until they are loaded, and the images that failed. */
export function LoadingNotice({ layers }: { layers: readonly Layer[] }) {
  const failed = layers.filter(({ arrival }) => arrival.failed.length > 0);
  const isLoading = layers.some(({ arrival: { loaded, failed: gone, total } }) => loaded + gone.length < total);
  return (
    <>
      {isLoading && (
        <div className={styles.progress} role="status" aria-label={t`Loading`}>
          {layers.map(({ name, arrival: { loaded, total } }) => (
            <span key={name} className={styles.part}>
              {t`${name} ${loaded} of ${total}`}
              <progress value={loaded} max={total} aria-label={t`${name} loaded`} />
            </span>
          ))}
        </div>
      )}
      {failed.map(({ name, arrival, retry }) => {
        const count = arrival.failed.length;
        const { total } = arrival;
        const images = namesOf(arrival.failed.map(({ image }) => image));
        const reason = arrival.failed[0]?.reason ?? '';
        return (
          <Notice
            key={name}
            tone="danger"
            action={
              canLoadAgain(arrival.failed) && (
                <Button variant="default" size="compact-xs" onClick={retry}>
                  {t`Retry`}
                </Button>
              )
            }
          >
            {t`${count} of ${total} images of ${name} could not be loaded. They are hatched and not measured: ${images}. ${reason}`}{' '}
            {!canLoadAgain(arrival.failed) && t`Loading it again cannot help.`}
          </Notice>
        );
      })}
    </>
  );
}
