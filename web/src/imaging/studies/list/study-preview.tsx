import { t } from '@lingui/core/macro';
import { Button, CloseButton } from '@mantine/core';
import { archive, thumbnailSize } from '@radwork/contract/imaging/archive';
import type { StudyRow } from '@radwork/contract/imaging/study-rows';
import { type StudyPreview as Preview, studyPreviews } from '@radwork/contract/reading/study-previews';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { query } from '#core/http/api.ts';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { formatLocal } from '#ui/formats/formats.ts';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';
import { DueClock } from '#ui/marks/due-clock.tsx';
import { PriorityMark } from '#ui/marks/priority-mark.tsx';
import { ReadingMark } from '#ui/marks/reading-mark.tsx';
import { StudyStatusPill } from '#ui/marks/study-status.tsx';
import { AuthImage } from '#ui/media/auth-image.tsx';
import { studyPicture } from '#imaging/studies/study-pictures.ts';
import styles from './study-preview.module.css';

/** Time in milliseconds for which a preview counts as current. Going back and forth then audits no further views. */
const freshness = 60_000;

type Props = { study: StudyRow; onClose: () => void };

/** A look at the current study of the list. It follows the current row; Escape closes it. */
export function StudyPreview({ study, onClose }: Props) {
  const { id, patient, modality, studyDate, description, studyDescription } = study;
  const preview = useQuery({ ...query(studyPreviews.read, { params: { id } }), staleTime: freshness });
  useShortcuts(t`Preview`, [{ keys: 'Escape', does: t`Close preview`, run: onClose, hint: t`close preview` }]);
  const what = [modality, formatLocal(studyDate), description || studyDescription].filter(Boolean);
  return (
    <aside className={styles.preview} aria-label={t`Preview of ${patient.patientName}`}>
      <header className={styles.head}>
        <div>
          <h2 className={styles.name}>{patient.patientName}</h2>
          <p className={styles.what}>{[patient.patientId, ...what].join(' · ')}</p>
        </div>
        <CloseButton size={28} aria-label={t`Close preview`} onClick={onClose} />
      </header>
      <p className={styles.marks}>
        <StudyStatusPill status={study.status} />
        <PriorityMark priority={study.priority} />
        <DueClock dueDate={study.dueDate} since={study.createdDate} />
        <ReadingMark reading={study.readingBy} />
      </p>
      {preview.isPending && <Skeleton lines={6} label={t`Loading preview`} />}
      {preview.isLoadingError && (
        <ErrorState
          failed={t`Failed to load the preview`}
          error={preview.error}
          onRetry={() => void preview.refetch()}
        />
      )}
      {preview.data && <Contents study={study} preview={preview.data} />}
      <Button
        variant="default"
        renderRoot={(props) => <Link to="/studies/$id" params={{ id }} {...props} />}
      >{t`Open study`}</Button>
    </aside>
  );
}

const pictureOf = ({ studyInstanceUID }: StudyRow, { keyImage }: Preview): string => {
  if (!keyImage) return studyPicture(studyInstanceUID);
  const path = archive.instanceRendered.path
    .replace(':studyUid', studyInstanceUID)
    .replace(':seriesUid', keyImage.seriesInstanceUID)
    .replace(':instanceUid', keyImage.sopInstanceUID);
  return `/api/wado-rs${path}?viewport=${thumbnailSize.study},${thumbnailSize.study}`;
};

function Contents({ study, preview }: { study: StudyRow; preview: Preview }) {
  const { clinicalHistory, keyImage, prior } = preview;
  const priorTitle = prior && [prior.modality, formatLocal(prior.studyDate), prior.description].filter(Boolean);
  return (
    <>
      {study.instanceCount > 0 && (
        <figure className={styles.figure}>
          <AuthImage
            key={study.id}
            className={styles.image}
            path={pictureOf(study, preview)}
            alt={keyImage ? t`Key image` : t`Image of the study`}
          />
          {keyImage?.note && <figcaption>{keyImage.note}</figcaption>}
        </figure>
      )}
      <section>
        <h3>{t`Clinical history`}</h3>
        <p className={styles.text}>{clinicalHistory || <span className="muted">{t`None`}</span>}</p>
      </section>
      <section>
        <h3>{t`Impression of the prior`}</h3>
        {prior && priorTitle ? (
          <>
            <p>
              <Link to="/studies/$id" params={{ id: prior.id }}>
                {priorTitle.join(' · ')}
              </Link>
            </p>
            <p className={styles.text}>{prior.impression}</p>
          </>
        ) : (
          <p className="muted">{t`No prior with a signed report`}</p>
        )}
      </section>
    </>
  );
}
