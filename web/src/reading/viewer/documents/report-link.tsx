import { Trans } from '@lingui/react/macro';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import type { ContentReference } from '@radwork/dicom/content-tree';
import { AuthImage } from '#ui/media/auth-image.tsx';
import { isShowable } from '#reading/viewer/images/series/series-kinds.ts';
import { pathOfSeries } from '#reading/viewer/images/series/series-headers.ts';
import type { DocumentProps } from './document-props.tsx';
import { canGoTo, type ReferredInstance, wordsOf } from './report-references.ts';
import styles from './structured-report.module.css';

/** Instances that a report refers to, if the study contains them. */
export type References = {
  study: StudyDetails;
  referred: ReadonlyMap<string, ReferredInstance>;
  /** Whether the search for an instance has ended, with or without a result. */
  isKnown: (sopInstanceUID: string) => boolean;
  onGoTo: DocumentProps['onGoTo'];
};

type Props = { reference: ContentReference; references: References; hasPicture?: boolean };

/** Links to a referenced instance, or says that it is not in the study. */
export function ReportLink({ reference, references, hasPicture = false }: Props) {
  const { sopInstanceUID, frames } = reference;
  const referred = references.referred.get(sopInstanceUID);
  if (!referred && !references.isKnown(sopInstanceUID)) return <span className={styles.uid}>{sopInstanceUID}</span>;
  if (!referred) {
    return (
      <span>
        <Trans>
          Not in this study: <span className={styles.uid}>{sopInstanceUID}</span>
        </Trans>
      </span>
    );
  }
  const words = wordsOf(referred, frames);
  if (!canGoTo(referred)) return <span>{words}</span>;
  const frame = frames[0] ?? 1;
  const { seriesInstanceUID } = referred.series;
  return (
    <button
      type="button"
      className={styles.link}
      aria-label={words}
      onClick={() => references.onGoTo({ seriesInstanceUID, sopInstanceUID, frame })}
    >
      {hasPicture && isShowable(referred.series) && (
        <span className={styles.picture}>
          <AuthImage path={pictureOf(references.study, referred, frame)} alt="" />
        </span>
      )}
      {words}
    </button>
  );
}

/** Requested size of the rendered image in pixels. Twice the size on screen, for high-density screens. */
const size = 264;

const pictureOf = (
  { studyInstanceUID }: StudyDetails,
  { series, sopInstanceUID }: ReferredInstance,
  frame: number,
): string =>
  `${pathOfSeries(studyInstanceUID, series.seriesInstanceUID)}/instances/${sopInstanceUID}/frames/${frame}/rendered?viewport=${size},${size}`;
