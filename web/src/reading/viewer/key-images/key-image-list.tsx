import { t } from '@lingui/core/macro';
import { ActionIcon, TextInput, Tooltip } from '@mantine/core';
import type { KeyImage } from '@radwork/contract/reading/key-images';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { IconStarOff } from '@tabler/icons-react';
import { type MouseEvent, useState } from 'react';
import { AuthImage } from '#ui/media/auth-image.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { DocumentMenu } from '#reading/viewer/documents/document-menu.tsx';
import { documentKinds } from '#reading/viewer/documents/document-kinds.ts';
import styles from './key-image-list.module.css';
import { thumbnailPath } from './thumbnail-path.ts';
import type { KeyImages } from './use-key-images.ts';

type Props = { study: StudyDetails; marked: KeyImages; onGoTo: (one: KeyImage) => void };

/** Lists the key images of the study with their authors. Each entry opens the image as its author saw it. */
export function KeyImageList({ study, marked, onGoTo }: Props) {
  const { list, canMark } = marked;
  return (
    <section aria-label={t`Key images`} className={styles.section}>
      <div className={styles.head}>
        <h2>
          {t`Key images`} <span>{list.data?.length ?? ''}</span>
        </h2>
        <DocumentMenu kind={documentKinds.keyImages} studyId={study.id} count={list.data?.length ?? 0} />
      </div>
      {list.isPending && <Skeleton lines={2} label={t`Loading key images`} />}
      {list.error && !list.data && (
        <ErrorState failed={t`Key images could not be loaded`} error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.data?.length === 0 && (
        <p className="muted">
          {canMark ? t`No key images yet. Press * to mark the current image.` : t`No key images yet.`}
        </p>
      )}
      <ul className={styles.list}>
        {list.data?.map((item, at) => (
          <Entry key={item.id} {...{ one: item, study, marked }} number={at + 1} onGoTo={() => onGoTo(item)} />
        ))}
      </ul>
    </section>
  );
}

/** Whether a click stays on the page. Clicks with modifier keys open another tab. */
const isPlain = ({ button, metaKey, ctrlKey, shiftKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey;

type EntryProps = {
  one: KeyImage;
  number: number;
  study: StudyDetails;
  marked: KeyImages;
  onGoTo: () => void;
};

function Entry({ one, number, study, marked, onGoTo }: EntryProps) {
  const series = study.series.find(({ seriesInstanceUID }) => seriesInstanceUID === one.seriesInstanceUID);
  const { author, note, isMine, frame } = one;
  const seriesNumber = series?.seriesNumber ?? '–';
  return (
    <li className={styles.entry}>
      <a
        className={styles.place}
        href={`/viewer/${study.id}?image=${one.id}`}
        aria-label={note ? t`Key image ${number}: ${note}` : t`Key image ${number}`}
        onClick={(event) => {
          if (!isPlain(event)) return;
          event.preventDefault();
          onGoTo();
        }}
      >
        <span className={styles.picture}>
          <AuthImage path={thumbnailPath(study.studyInstanceUID, one, series?.modality ?? '')} alt="" />
        </span>
        <span className={styles.origin}>
          <span>{series ? t`Series ${seriesNumber}` : t`Series no longer in the study`}</span>
          {frame > 1 && <span>{t`Frame ${frame}`}</span>}
          <span>{author.name}</span>
        </span>
      </a>
      {isMine ? (
        <>
          <Note key={note} note={note} number={number} onNote={(text) => marked.annotate(one, text)} />
          <Tooltip label={t`Remove key image`}>
            <ActionIcon aria-label={t`Remove key image ${number}`} onClick={() => marked.remove(one)}>
              <IconStarOff size={15} stroke={1.6} />
            </ActionIcon>
          </Tooltip>
        </>
      ) : (
        note && <span className={styles.note}>{note}</span>
      )}
    </li>
  );
}

/** Note of the author about a key image; saved when the field loses focus. */
function Note({ note, number, onNote }: { note: string; number: number; onNote: (note: string) => void }) {
  const [typed, setTyped] = useState(note);
  const keep = () => {
    if (typed.trim() !== note) onNote(typed.trim());
  };
  return (
    <TextInput
      size="xs"
      aria-label={t`Note on key image ${number}`}
      placeholder={t`Note`}
      maxLength={200}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === 'Enter') keep();
        if (event.key === 'Escape') setTyped(note);
      }}
    />
  );
}
