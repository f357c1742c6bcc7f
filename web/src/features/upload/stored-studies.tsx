import { Button } from '@mantine/core';
import { viewerOf } from '@radwork/contract/modalities';
import { studies, type StudyDetails } from '@radwork/contract/studies';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { query } from '#core/api.ts';
import { formatLocal, formatSize } from '#ui/formats.ts';
import { ModalityTag } from '#ui/modality-tag.tsx';
import styles from './stored-studies.module.css';
import { type StoredStudy, storedStudies, type UploadItem } from './upload-item.ts';

const studiesShown = 20;

/** Where the files went: each study with its patient, so that somebody sees at once when it is not the one expected. */
export function StoredStudies({ items }: { items: readonly UploadItem[] }) {
  const stored = storedStudies(items);
  if (stored.length === 0) return null;
  return (
    <section className={styles.studies} aria-label="Uploaded studies">
      <h2>{stored.length === 1 ? '1 study' : `${stored.length.toLocaleString('en-US')} studies`}</h2>
      <ul>
        {stored.slice(0, studiesShown).map((study) => (
          <li key={study.studyId}>
            <Study study={study} />
          </li>
        ))}
      </ul>
      {stored.length > studiesShown && (
        <p className={styles.more}>
          <Link to="/studies" search={{ sort: 'createdDate,desc' }}>
            {(stored.length - studiesShown).toLocaleString('en-US')} more in the study list
          </Link>
        </p>
      )}
    </section>
  );
}

const viewerPath = (study: StudyDetails | undefined) =>
  viewerOf(study?.modalities ?? []) === 'usviewer' ? ('/usviewer/{-$id}' as const) : ('/viewer/{-$id}' as const);

function Study({ study: { studyId, files, bytes } }: { study: StoredStudy }) {
  const { data } = useQuery(query(studies.get, { params: { id: studyId } }));
  const params = { id: studyId };
  return (
    <>
      {data && <Identity study={data} />}
      <p className={styles.amount}>
        {files.toLocaleString('en-US')} {files === 1 ? 'file' : 'files'}, {formatSize(bytes)}
      </p>
      <div className={styles.links}>
        <Button
          variant="default"
          size="compact-xs"
          renderRoot={(props) => <Link to="/studies/$id" params={params} {...props} />}
        >
          Open study
        </Button>
        <Button
          variant="default"
          size="compact-xs"
          renderRoot={(props) => <Link to={viewerPath(data)} params={params} {...props} />}
        >
          Open in viewer
        </Button>
      </div>
    </>
  );
}

function Identity({ study }: { study: StudyDetails }) {
  const { patient, description, studyDescription, studyDate, modality } = study;
  return (
    <>
      <p className={styles.patient}>
        {patient.patientName || 'No name'} <span className="muted">{patient.patientId}</span>
      </p>
      <p className={styles.what}>
        <ModalityTag modality={modality} /> {description || studyDescription}
        <span className={styles.date}>{formatLocal(studyDate)}</span>
      </p>
    </>
  );
}
