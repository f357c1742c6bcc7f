import { plural, t } from '@lingui/core/macro';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { IconFileText } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { AuthImage } from '#ui/media/auth-image.tsx';
import { formatAge } from '#ui/formats/formats.ts';
import { viewerPath } from '#imaging/studies/study-actions.tsx';
import styles from './study-context.module.css';
import { StudyFacts } from '#imaging/studies/metadata/study-facts.tsx';
import { seriesPicture, studyPicture } from '#imaging/studies/study-pictures.ts';

const sexes = { M: t`Male`, F: t`Female`, O: t`Other`, U: '' } as const;

type Props = {
  study: StudyDetails;
  /** Renders the menu of a series. */
  seriesMenu?: (seriesInstanceUID: string) => ReactNode;
  children?: ReactNode;
};

/** Column next to the report: rendered image, clinical history, patient. `children` come after the clinical history. */
export function StudyContext({ study, seriesMenu, children }: Props) {
  const { patient, clinicalHistory, studyDate, createdDate } = study;
  return (
    <div className={styles.context}>
      <StudyPicture study={study} />
      <section className={styles.section}>
        <h2>{t`Clinical history`}</h2>
        {clinicalHistory ? (
          <p className={styles.history}>{clinicalHistory}</p>
        ) : (
          <p className="muted">{t`Not provided.`}</p>
        )}
      </section>
      {children}
      <SeriesPictures study={study} seriesMenu={seriesMenu} />
      <div className={styles.section}>
        <StudyFacts
          title={t`Patient`}
          facts={[
            { label: t`Name`, value: patient.patientName },
            { label: t`Patient ID`, value: patient.patientId },
            { label: t`Sex`, value: sexes[patient.gender] },
            { label: t`Date of birth`, value: patient.dateOfBirth },
            { label: t`Age at study`, value: formatAge(patient.dateOfBirth, studyDate ?? createdDate) },
          ]}
        />
      </div>
    </div>
  );
}

type Series = StudyDetails['series'][number];

/** Returns a text with the number of images, of frames if the series has clips, or of objects without pixels. */
const amountOf = ({ instances, instanceCount }: Series): string => {
  const frames = instances.reduce((sum, { numberOfFrames }) => sum + numberOfFrames, 0);
  if (frames === 0) return t`${plural(instanceCount, { one: '# instance', other: '# instances' })}`;
  const images = t`${plural(instanceCount, { one: '# image', other: '# images' })}`;
  const frameCount = t`${plural(frames, { one: '# frame', other: '# frames' })}`;
  return frames > instanceCount ? `${images}, ${frameCount}` : images;
};

/** Returns the label of a series without images, such as reports or presentation states. */
const seriesLabel = ({ seriesNumber }: Series): string =>
  seriesNumber === null ? t`Series` : t`Series ${seriesNumber}`;

const hasPictures = ({ instances }: Series) => instances.some(({ numberOfFrames }) => numberOfFrames > 0);

function StudyPicture({ study }: { study: StudyDetails }) {
  if (!study.series.some(hasPictures)) return null;
  return (
    <Link
      className={styles.studyPicture}
      to={viewerPath(study)}
      params={{ id: study.id }}
      aria-label={t`Open study in viewer`}
    >
      <AuthImage path={studyPicture(study.studyInstanceUID)} alt={t`Study`} className={styles.image} />
    </Link>
  );
}

function SeriesPictures({ study, seriesMenu }: { study: StudyDetails; seriesMenu: Props['seriesMenu'] }) {
  const { series, studyInstanceUID } = study;
  return (
    <section className={styles.section}>
      <h2>
        {t`Series`} <span>{series.length}</span>
      </h2>
      {series.length === 0 && <p className="muted">{t`This study has no images yet.`}</p>}
      <ul className={styles.series}>
        {series.map((one) => (
          <li key={one.id} className={styles.item}>
            <Link className={styles.one} to={viewerPath(study)} params={{ id: study.id }}>
              {hasPictures(one) ? (
                <AuthImage
                  path={seriesPicture(studyInstanceUID, one.seriesInstanceUID)}
                  alt={seriesLabel(one)}
                  className={styles.image}
                />
              ) : (
                <span className={styles.image}>
                  <IconFileText size={20} stroke={1.4} aria-hidden />
                </span>
              )}
              <span className={styles.caption}>
                <span className={styles.description}>
                  {one.seriesNumber !== null && <b>{one.seriesNumber}</b>} {one.seriesDescription || t`No description`}
                </span>
                <span className="muted">
                  {one.modality} · {amountOf(one)}
                </span>
              </span>
            </Link>
            {seriesMenu?.(one.seriesInstanceUID)}
          </li>
        ))}
      </ul>
    </section>
  );
}
