import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconMovieOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { EmptyState, ErrorState } from '#ui/feedback/content-states.tsx';
import styles from './no-clips.module.css';
import type { useClips } from './use-clips.ts';

type Props = {
  studyId: string;
  clipQuery: Pick<ReturnType<typeof useClips>, 'isPending' | 'error' | 'retry' | 'hasSeries'>;
};

/** Message shown instead of clips: they are loading, failed to load, or do not exist. */
export function NoClips({ studyId, clipQuery }: Props) {
  const { isPending, error, retry, hasSeries } = clipQuery;
  if (isPending && hasSeries) return <p className={styles.waiting}>{t`Loading clips…`}</p>;
  if (error) return <ErrorState failed={t`The clips could not be loaded`} error={error} onRetry={retry} />;
  return (
    <EmptyState
      icon={IconMovieOff}
      title={hasSeries ? t`The ultrasound series of this study have no images` : t`This study has no ultrasound`}
      detail={t`The standard viewer shows all other series.`}
      action={
        <Button
          variant="default"
          renderRoot={(props) => <Link to="/viewer/{-$id}" params={{ id: studyId }} {...props} />}
        >
          {t`Open in the standard viewer`}
        </Button>
      }
    />
  );
}
