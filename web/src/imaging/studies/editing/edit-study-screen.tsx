import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { studies } from '@radwork/contract/imaging/studies';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { IconFolderOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { ApiError } from '#core/http/api.ts';
import { useAuditedQuery } from '#core/http/audited-query.ts';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { EmptyState, ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { StudyHeading } from './study-heading.tsx';
import { lastListAddress } from '#imaging/studies/last-list-address.ts';
import { StudyForm } from './study-form.tsx';
import styles from './study-form.module.css';
import { useStudyEdit } from './use-study-edit.ts';

/** Screen /studies/:id/edit: form for the editable fields of a study. */
export function EditStudyScreen() {
  const id = useParams({ strict: false, select: (params) => params.id ?? '' });
  // Always fetches, because the form must start from the current study, not from the cache.
  const study = useQuery({ ...useAuditedQuery(studies.get, { params: { id } }), refetchOnMount: 'always' });
  return (
    <div className={styles.screen}>
      <ScreenTitle title={t`Edit Study`} />
      {study.isFetchedAfterMount && study.data ? (
        <Editing key={id} study={study.data} />
      ) : (
        <NotYet error={study.error} onRetry={() => void study.refetch()} />
      )}
    </div>
  );
}

function NotYet({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  if (!error) {
    return (
      <div className={styles.sheet}>
        <Skeleton lines={10} label={t`Loading study`} />
      </div>
    );
  }
  if (error instanceof ApiError && error.status === 404) {
    return (
      <EmptyState
        icon={IconFolderOff}
        title={t`Study not found`}
        detail={t`The study does not exist, or you do not have access to it.`}
        action={
          <Button
            variant="default"
            renderRoot={(props) => <Link to="/studies" search={lastListAddress()} {...props} />}
          >
            {t`Back to study list`}
          </Button>
        }
      />
    );
  }
  return <ErrorState failed={t`Error loading study details`} error={error} onRetry={onRetry} />;
}

function Editing({ study }: { study: StudyDetails }) {
  const navigate = useNavigate();
  const details = { to: '/studies/$id', params: { id: study.id } } as const;
  const edit = useStudyEdit(study, () => void navigate({ ...details, ignoreBlocker: true }));
  return (
    <div className={styles.sheet}>
      <StudyHeading study={study} />
      <StudyForm edit={edit} onCancel={() => void navigate(details)} />
    </div>
  );
}
