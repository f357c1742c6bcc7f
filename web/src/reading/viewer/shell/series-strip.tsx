import { plural, t } from '@lingui/core/macro';
import { thumbnailSize } from '@radwork/contract/imaging/archive';
import type { SeriesSummary } from '@radwork/contract/imaging/study-rows';
import {
  IconBox,
  IconFileText,
  IconMovie,
  type IconProps,
  IconPhotoOff,
  IconReportMedical,
  IconStar,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useMemo } from 'react';
import { AuthImage } from '#ui/media/auth-image.tsx';
import { drag } from './dragged-series.ts';
import { useLoadedImages } from '#reading/viewer/images/series/use-loaded-images.ts';
import { showMore, useNewImageCount } from '#reading/viewer/images/series/use-more-images.ts';
import { useReadAgain } from '#reading/viewer/images/series/use-read-again.ts';
import { seriesDocuments } from '#reading/viewer/images/series/series-documents.ts';
import {
  hasDocumentsBeside,
  hasSlide,
  isDocuments,
  isInStandardViewer,
  seriesKindLabel,
  slideLabel,
  reasonNotShown,
} from '#reading/viewer/images/series/series-kinds.ts';
import { type SeriesImage, seriesImages } from '#reading/viewer/images/series/series-loader.ts';
import styles from './series-strip.module.css';

type Props = {
  studyUid: string;
  /** ID of the study. Given only if a series can be dragged into a pane. */
  studyId?: string;
  series: readonly SeriesSummary[];
  /** Visible entries, and the entry on which shortcuts act, by `entryKey`. */
  shown: readonly string[];
  current: string | undefined;
  onChoose: (series: SeriesSummary, part?: 'documents') => void;
  /** True if this viewer shows reports and other documents. */
  opensDocuments?: boolean;
  /**
   * Opens the standard viewer for a series or documents that this viewer cannot show. Given only in a viewer for
   * images.
   */
  onStandard?: (series: SeriesSummary) => void;
  /** Returns the reason why a loaded series is unsuitable here. The user can still choose it. */
  reasonAgainst?: ((images: readonly SeriesImage[]) => string | undefined) | undefined;
  /** Returns a further action on a loaded series, such as opening it in another viewer. */
  actionFor?: ((series: SeriesSummary, images: readonly SeriesImage[]) => ReactNode) | undefined;
  /** Returns the menu of a series. */
  menuFor?: ((series: SeriesSummary) => ReactNode) | undefined;
  /** Content below the series. */
  children?: ReactNode;
};

/** Series of a study: thumbnail, description, loading progress. A click shows the series in the current pane. */
export function SeriesStrip({ children, ...props }: Props) {
  return (
    <nav aria-label={t`Series`} className={styles.strip}>
      <SeriesEntries {...props} />
      {children}
    </nav>
  );
}

/** Content of `SeriesStrip` without its frame. */
export function SeriesEntries({
  studyUid,
  studyId,
  series,
  shown: shownEntries,
  current,
  onChoose,
  opensDocuments = false,
  onStandard,
  reasonAgainst,
  actionFor,
  menuFor,
}: Omit<Props, 'children'>) {
  return series.flatMap((one) => {
    const isElsewhere = onStandard !== undefined && isInStandardViewer(one);
    const entryFor = (part?: 'documents') => ({
      studyUid,
      studyId: part ? undefined : studyId,
      series: one,
      isShown: shownEntries.includes(entryKey(one, part)),
      isCurrent: entryKey(one, part) === current,
      menu: part ? undefined : menuFor?.(one),
      onChoose: () => (onStandard && (isElsewhere || part) ? onStandard(one) : onChoose(one, part)),
    });
    if (isDocuments(one) && opensDocuments && !hasSlide(one))
      return <DocumentEntry key={one.seriesInstanceUID} {...entryFor()} />;
    const images = (
      <StripEntry
        key={one.seriesInstanceUID}
        {...entryFor()}
        isElsewhere={isElsewhere}
        reasonAgainst={reasonAgainst}
        actionFor={actionFor}
      />
    );
    if (!hasDocumentsBeside(one) || !(opensDocuments || onStandard)) return images;
    return [images, <DocumentEntry key={entryKey(one, 'documents')} {...entryFor('documents')} />];
  });
}

/** Key of an entry. A series of images may have a second entry, for its documents. */
export const entryKey = ({ seriesInstanceUID }: SeriesSummary, part?: 'documents'): string =>
  part ? `${seriesInstanceUID} ${part}` : seriesInstanceUID;

const thumbnailPath = (studyUid: string, seriesUid: string) =>
  `/api/wado-rs/studies/${studyUid}/series/${seriesUid}/rendered?viewport=${thumbnailSize.series},${thumbnailSize.series}`;

type EntryProps = {
  studyUid: string;
  studyId: string | undefined;
  series: SeriesSummary;
  isShown: boolean;
  isCurrent: boolean;
  menu: ReactNode;
  onChoose: () => void;
};

const documentIcons: Record<string, ComponentType<IconProps>> = {
  SR: IconReportMedical,
  KO: IconStar,
  M3D: IconBox,
};

/** Entry of a document series. Shows the titles of the documents, which say more than the series description. */
function DocumentEntry({ studyUid, studyId, series, isShown, isCurrent, menu, onChoose }: EntryProps) {
  const { seriesInstanceUID, seriesNumber, seriesDescription, modality } = series;
  const { contents, instanceCount } = series;
  const count = contents ? contents.documents + contents.others + (contents.videos ?? 0) : instanceCount;
  const { data: documents = [] } = useQuery(seriesDocuments(studyUid, seriesInstanceUID));
  const titles = [...new Set(documents.flatMap(({ title }) => title || []))];
  const isVideo = documents.length > 0 && documents.every(({ kind }) => kind === 'video');
  const Icon = isVideo ? IconMovie : (documentIcons[modality] ?? IconFileText);
  return (
    <div className={styles.item}>
      <button
        type="button"
        className={styles.entry}
        aria-current={isCurrent}
        data-shown={isShown}
        draggable={studyId !== undefined}
        onDragStart={(event) => studyId !== undefined && drag(event, { studyId, seriesInstanceUID })}
        onClick={onChoose}
      >
        <span className={styles.document}>
          <Icon size={22} stroke={1.4} aria-hidden />
        </span>
        <span className={styles.description}>
          {seriesNumber !== null && <span className={styles.number}>{seriesNumber}</span>}
          {titles.join(', ') || seriesDescription || t`No title`}
        </span>
        <span className={styles.facts}>
          <span className={styles.modality}>{modality}</span>
          {seriesKindLabel(series)}
          {count > 1 && ` · ${count}`}
        </span>
      </button>
      {menu && <span className={styles.menu}>{menu}</span>}
    </div>
  );
}

type StripEntryProps = EntryProps & Pick<Props, 'reasonAgainst' | 'actionFor'> & { isElsewhere: boolean };

function StripEntry(props: StripEntryProps) {
  const { studyUid, studyId, series, isShown, isCurrent, menu, onChoose, isElsewhere, reasonAgainst, actionFor } =
    props;
  const { seriesInstanceUID, seriesNumber, seriesDescription, modality, instanceCount } = series;
  const isSlide = isDocuments(series) && hasSlide(series);
  const kind = isSlide ? slideLabel : seriesKindLabel(series);
  const reason = isElsewhere ? t`${kind}: in the standard viewer` : isSlide ? undefined : reasonNotShown(series);
  // Reads only the cache; the strip does not load each series.
  const { data: images } = useQuery({ ...seriesImages(studyUid, seriesInstanceUID), enabled: false });
  const more = useNewImageCount(studyUid, series);
  const readAgain = useReadAgain();
  const count = images?.length || series.contents?.images || instanceCount;
  const counted = images?.length === 0 ? t`no images` : t`${plural(count, { one: '# image', other: '# images' })}`;
  const against = useMemo(() => images && reasonAgainst?.(images), [images, reasonAgainst]);
  const action = useMemo(() => images && actionFor?.(series, images), [series, images, actionFor]);
  return (
    <div className={styles.item}>
      <button
        type="button"
        className={styles.entry}
        aria-current={isCurrent}
        data-shown={isShown}
        disabled={reason !== undefined && !isElsewhere}
        draggable={studyId !== undefined && reason === undefined}
        onDragStart={(event) => studyId !== undefined && drag(event, { studyId, seriesInstanceUID })}
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
          {seriesDescription || t`No description`}
        </span>
        <span className={styles.facts}>
          <span className={styles.modality}>{modality}</span>
          {reason ?? (isSlide ? kind : counted)}
        </span>
        {against && <span className={styles.against}>{against}</span>}
      </button>
      {more > 0 && (
        <button type="button" className={styles.more} onClick={() => readAgain(studyUid, seriesInstanceUID)}>
          {showMore(more)}
        </button>
      )}
      {action}
      {menu && <span className={styles.menu}>{menu}</span>}
    </div>
  );
}

function LoadingBar({ images }: { images: readonly SeriesImage[] }) {
  const loaded = useLoadedImages(images).filter(Boolean).length;
  const total = images.length;
  return (
    <span className={styles.bar} title={t`${loaded} of ${total} loaded`} data-complete={loaded === total}>
      <span style={{ width: `${(100 * loaded) / total}%` }} />
    </span>
  );
}
