import type { SeriesSummary } from '@radwork/contract/studies';
import { IconPhotoOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { AuthImage } from '#ui/auth-image.tsx';
import { useLoaded } from './loaded-images.ts';
import { reasonNotShown } from './series-kinds.ts';
import { type SeriesImage, seriesImages } from './series-loader.ts';
import styles from './series-strip.module.css';

type Props = {
  studyUid: string;
  series: readonly SeriesSummary[];
  /** The series on the screen, and the one among them that the keys act on. */
  shown: readonly string[];
  current: string | undefined;
  onChoose: (series: SeriesSummary) => void;
};

/** The series of a study: a picture, what it is, how much of it is here. Choosing one shows it in the current pane. */
export function SeriesStrip({ studyUid, series, shown, current, onChoose }: Props) {
  return (
    <nav aria-label="Series" className={styles.strip}>
      {series.map((one) => (
        <StripEntry
          key={one.seriesInstanceUID}
          studyUid={studyUid}
          series={one}
          isShown={shown.includes(one.seriesInstanceUID)}
          isCurrent={one.seriesInstanceUID === current}
          onChoose={() => onChoose(one)}
        />
      ))}
    </nav>
  );
}

/** Large enough for a dense screen, small enough to be made quickly (PS3.18 §8.3.5.1.3). */
const thumbnailSize = 192;

const thumbnailPath = (studyUid: string, seriesUid: string) =>
  `/api/wado-rs/studies/${studyUid}/series/${seriesUid}/rendered?viewport=${thumbnailSize},${thumbnailSize}`;

type EntryProps = {
  studyUid: string;
  series: SeriesSummary;
  isShown: boolean;
  isCurrent: boolean;
  onChoose: () => void;
};

function StripEntry({ studyUid, series, isShown, isCurrent, onChoose }: EntryProps) {
  const { seriesInstanceUID, seriesNumber, seriesDescription, modality, instanceCount } = series;
  const reason = reasonNotShown(modality);
  // Only asks what has been read already: the strip itself does not load every series.
  const { data: images } = useQuery({ ...seriesImages(studyUid, seriesInstanceUID), enabled: false });
  const count = images?.length ?? instanceCount;
  return (
    <button
      type="button"
      className={styles.entry}
      aria-current={isCurrent}
      data-shown={isShown}
      disabled={reason !== undefined}
      onClick={onChoose}
    >
      <span className={styles.picture}>
        {reason ? (
          <IconPhotoOff size={20} stroke={1.4} aria-hidden />
        ) : (
          <AuthImage path={thumbnailPath(studyUid, seriesInstanceUID)} alt="" />
        )}
      </span>
      {images && <LoadingBar images={images} />}
      <span className={styles.description}>
        {seriesNumber !== null && <span className={styles.number}>{seriesNumber}</span>}
        {seriesDescription || 'No description'}
      </span>
      <span className={styles.facts}>
        <span className={styles.modality}>{modality}</span>
        {reason ?? `${count} ${count === 1 ? 'image' : 'images'}`}
      </span>
    </button>
  );
}

function LoadingBar({ images }: { images: readonly SeriesImage[] }) {
  const loaded = useLoaded(images).filter(Boolean).length;
  return (
    <span
      className={styles.bar}
      title={`${loaded} of ${images.length} loaded`}
      data-complete={loaded === images.length}
    >
      <span style={{ width: `${(100 * loaded) / images.length}%` }} />
    </span>
  );
}
