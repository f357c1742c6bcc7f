import { plural, t } from '@lingui/core/macro';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { AuthImage } from '#ui/media/auth-image.tsx';
import { type Clip, stagesOf } from '#reading/viewer/images/cine/clips.ts';
import { useLoadedImages } from '#reading/viewer/images/series/use-loaded-images.ts';
import { showMore } from '#reading/viewer/images/series/use-more-images.ts';
import styles from '#reading/viewer/shell/series-strip.module.css';
import { factsOf, nameOfClip } from './clip-text.ts';
import type { ClipPanes } from './use-clip-panes.ts';
import type { useClips } from './use-clips.ts';
import own from './clip-strip.module.css';

type Props = {
  study: StudyDetails;
  clips: readonly Clip[];
  panes: ClipPanes;
  clipQuery: ReturnType<typeof useClips>;
  /** Returns the menu of the series of a clip, with actions on the clip. */
  menuFor?: ((clip: Clip) => ReactNode) | undefined;
};

/**
 * Clips of a study, grouped by stage if the study has stages. A click shows a clip in the current pane; dragging shows
 * it in any pane.
 */
export function ClipStrip({ study, clips, panes, clipQuery, menuFor }: Props) {
  const stages = stagesOf(clips);
  const { failed, others } = clipQuery;
  return (
    <nav aria-label={t`Clips`} className={styles.strip}>
      {failed > 0 && (
        <p className={own.failed} role="alert">
          {t`${plural(failed, { one: '# series', other: '# series' })} could not be loaded.`}{' '}
          <button type="button" onClick={clipQuery.retry}>
            {t`Retry`}
          </button>
        </p>
      )}
      {clipQuery.more > 0 && (
        <button type="button" className={styles.more} onClick={clipQuery.readMore}>
          {showMore(clipQuery.more)}
        </button>
      )}
      {stages.map(({ stage, clips: inStage }) => (
        <section key={stage} className={own.stage} aria-label={stage || t`Clips`}>
          {(stages.length > 1 || stage !== '') && <h2 className={own.name}>{stage || t`No stage`}</h2>}
          {inStage.map((clip) => (
            <Tile
              key={clip.key}
              study={study}
              clip={clip}
              number={clips.indexOf(clip) + 1}
              isShown={panes.clipIn.includes(clip)}
              isCurrent={panes.clipIn[panes.current] === clip}
              menu={menuFor?.(clip)}
              onChoose={() => panes.choose(clip)}
            />
          ))}
        </section>
      ))}
      {others > 0 && (
        <p className={own.others}>
          {t`${plural(others, { one: '# series is not ultrasound.', other: '# series are not ultrasound.' })}`}{' '}
          <Link to="/viewer/{-$id}" params={{ id: study.id }}>
            {t`Standard viewer`}
          </Link>
        </p>
      )}
    </nav>
  );
}

/** Data type of a dragged clip. */
export const draggedClip = 'application/x-radwork-clip';

/** Size in pixels. It is large enough for a dense screen, and small enough to render quickly (PS3.18 §8.3.5.1.3). */
const thumbnailSize = 192;

/** Uses the middle frame, because the first frame is often empty. */
const thumbnailOf = ({ studyInstanceUID }: StudyDetails, { seriesInstanceUID, key, images }: Clip): string =>
  `/api/wado-rs/studies/${studyInstanceUID}/series/${seriesInstanceUID}/instances/${key}` +
  `/frames/${Math.ceil(images.length / 2)}/rendered?viewport=${thumbnailSize},${thumbnailSize}`;

type TileProps = {
  study: StudyDetails;
  clip: Clip;
  /** Number of the clip, from 1. */
  number: number;
  isShown: boolean;
  isCurrent: boolean;
  menu: ReactNode;
  onChoose: () => void;
};

function Tile({ study, clip, number, isShown, isCurrent, menu, onChoose }: TileProps) {
  return (
    <div className={styles.item}>
      <button
        type="button"
        className={styles.entry}
        aria-current={isCurrent}
        data-shown={isShown}
        draggable
        onDragStart={({ dataTransfer }) => dataTransfer.setData(draggedClip, clip.key)}
        onClick={onChoose}
      >
        <span className={styles.picture}>
          <AuthImage path={thumbnailOf(study, clip)} alt="" />
        </span>
        <LoadingBar clip={clip} />
        <span className={styles.description}>
          <span className={styles.number}>{number}</span>
          {nameOfClip(clip)}
        </span>
        <span className={styles.facts}>
          {factsOf(clip).map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </span>
      </button>
      {menu && <span className={styles.menu}>{menu}</span>}
    </div>
  );
}

function LoadingBar({ clip: { images } }: { clip: Clip }) {
  const loaded = useLoadedImages(images).filter(Boolean).length;
  const total = images.length;
  return (
    <span className={styles.bar} title={t`${loaded} of ${total} loaded`} data-complete={loaded === total}>
      <span style={{ width: `${(100 * loaded) / images.length}%` }} />
    </span>
  );
}
