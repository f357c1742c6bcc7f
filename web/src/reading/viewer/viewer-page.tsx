import { t } from '@lingui/core/macro';
import { studies } from '@radwork/contract/imaging/studies';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { IconPhotoOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { ApiError } from '#core/http/api.ts';
import { useAuditedQuery } from '#core/http/audited-query.ts';
import { EmptyState, ErrorState } from '#ui/feedback/content-states.tsx';
import { fetchViewer, isUid } from './prefetch-viewer.ts';
import { useHangingRules } from './hanging/use-hanging-rules.ts';
import { useLayoutsFromServer } from './hanging/use-saved-layouts.ts';
import type { Mode, SeriesMenuOf } from './viewer-modes.ts';
import { viewers } from './viewers.ts';
import { RecentStudies } from './recent-studies.tsx';
import { StudyPreview } from './standard/opening/study-preview.tsx';
import styles from './viewer-page.module.css';

/** Loads only for MPR, together with the code that chooses its series. */
const PlanesPreview = lazy(async () => {
  try {
    return { default: (await import('./mpr/planes-preview.tsx')).PlanesPreview };
  } catch {
    // MPR opens without its first picture.
    return { default: ({ waiting }: { waiting: ReactNode }) => waiting };
  }
});

type Props = {
  mode: Mode;
  /** Renders the report next to the images, when the user opens it. */
  report?: ((studyId: string) => ReactNode) | undefined;
  /** Renders the report of another study of the patient. Given only if the user may read reports. */
  priorReport?: ((studyId: string) => ReactNode) | undefined;
  /** Rendered above "Study not found". */
  lost?: ((studyId: string) => ReactNode) | undefined;
  /** Renders notices above the images. */
  notice?: ((study: StudyDetails) => ReactNode) | undefined;
  seriesMenu?: SeriesMenuOf | undefined;
};

/** Opens a viewer for the study in the address (ID or UID). Without a study, offers the recent studies. */
export function ViewerPage(props: Props) {
  const id = useParams({ strict: false, select: (params) => params.id });
  return id ? <NamedStudy key={id} id={id} {...props} /> : <RecentStudies mode={props.mode} />;
}

const useStudyNamed = (id: string) => {
  const byUid = useQuery({ ...useAuditedQuery(studies.getByUid, { params: { studyUid: id } }), enabled: isUid(id) });
  const byId = useQuery({ ...useAuditedQuery(studies.get, { params: { id } }), enabled: !isUid(id) });
  return isUid(id) ? byUid : byId;
};

const isMissing = (error: unknown) => error instanceof ApiError && (error.status === 404 || error.status === 403);

function NamedStudy({ id, mode, report, priorReport, lost, notice, seriesMenu }: Props & { id: string }) {
  const { data, error, refetch } = useStudyNamed(id);
  const { Viewer } = viewers[mode];
  useLayoutsFromServer(data !== undefined);
  // Fetched together with the study, so that hanging waits for neither.
  useHangingRules();

  useEffect(() => {
    // Loads the imaging library, which is large, while the server looks up the study.
    fetchViewer(mode);
  }, [mode]);

  // Shows a forbidden study like a missing study, so that guessing IDs reveals nothing.
  if (isMissing(error)) {
    return (
      <>
        {lost?.(id)}
        <NoSuchStudy />
      </>
    );
  }
  if (error && !data) {
    return <ErrorState failed={t`The study could not be loaded`} error={error} onRetry={() => void refetch()} />;
  }
  const waiting = <p className={styles.waiting}>{t`Opening study…`}</p>;
  return (
    <Suspense fallback={<Preview mode={mode} study={data} waiting={waiting} />}>
      {data ? (
        <div className={styles.named} data-noticed={Boolean(data.identity)}>
          {notice?.(data)}
          <div className={styles.pictures}>
            <Viewer study={data} report={report} priorReport={priorReport} seriesMenu={seriesMenu} />
          </div>
        </div>
      ) : (
        waiting
      )}
    </Suspense>
  );
}

/** Stands in for a viewer whose code still loads. */
function Preview({ mode, study, waiting }: { mode: Mode; study: StudyDetails | undefined; waiting: ReactNode }) {
  if (!study) return waiting;
  if (mode === 'standard') return <StudyPreview study={study} waiting={waiting} />;
  if (mode !== 'mpr') return waiting;
  return (
    <Suspense fallback={waiting}>
      <PlanesPreview study={study} waiting={waiting} />
    </Suspense>
  );
}

const NoSuchStudy = () => (
  <EmptyState
    icon={IconPhotoOff}
    title={t`Study not found`}
    detail={t`The study does not exist, or you have no permission to view it.`}
    action={<Link to="/studies">{t`All studies`}</Link>}
  />
);
