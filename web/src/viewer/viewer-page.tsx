import { studies } from '@radwork/contract/studies';
import { IconPhotoOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { ApiError } from '#core/api.ts';
import { useLook } from '#core/use-look.ts';
import { EmptyState, ErrorState } from '#ui/states.tsx';
import { RecentStudies } from './recent-studies.tsx';
import styles from './viewer-page.module.css';

const fetchViewer = () => import('./study-viewer.tsx');
const StudyViewer = lazy(() => fetchViewer().then((module) => ({ default: module.StudyViewer })));

type Props = {
  /** What stands beside the pictures of a study; it is asked for when somebody opens it. */
  report?: ((studyId: string) => ReactNode) | undefined;
  /** What stands above the words that there is no such study. */
  lost?: ((studyId: string) => ReactNode) | undefined;
};

/** The standard viewer: of a study named by its id or its UID, or else a choice among the recent ones (C6). */
export function ViewerPage({ report, lost }: Props) {
  const id = useParams({ strict: false, select: (params) => params.id });
  return id ? <NamedStudy key={id} id={id} report={report} lost={lost} /> : <RecentStudies />;
}

/** A UID is written in digits and dots (PS3.5 §9.1), an id of ours has hyphens. */
const isUid = (id: string) => /^[\d.]+$/.test(id);

const useStudyNamed = (id: string) => {
  const byUid = useQuery({ ...useLook(studies.getByUid, { params: { studyUid: id } }), enabled: isUid(id) });
  const byId = useQuery({ ...useLook(studies.get, { params: { id } }), enabled: !isUid(id) });
  return isUid(id) ? byUid : byId;
};

const isMissing = (error: unknown) => error instanceof ApiError && (error.status === 404 || error.status === 403);

function NamedStudy({ id, report, lost }: Props & { id: string }) {
  const { data, error, refetch } = useStudyNamed(id);

  useEffect(() => {
    // The imaging library is large: it comes while the server still looks the study up.
    void fetchViewer();
  }, []);

  // What belongs to somebody else looks like what does not exist, so that nobody learns by trying.
  if (isMissing(error)) {
    return (
      <>
        {lost?.(id)}
        <NoSuchStudy />
      </>
    );
  }
  if (error && !data) {
    return <ErrorState failed="The study could not be loaded" error={error} onRetry={() => void refetch()} />;
  }
  const waiting = <p className={styles.waiting}>Opening study…</p>;
  return <Suspense fallback={waiting}>{data ? <StudyViewer study={data} report={report} /> : waiting}</Suspense>;
}

const NoSuchStudy = () => (
  <EmptyState
    icon={IconPhotoOff}
    title="Study not found"
    detail="There is no study at this address, or it is not yours to see."
    action={<Link to="/studies">All studies</Link>}
  />
);
