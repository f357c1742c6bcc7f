import { plural, t } from '@lingui/core/macro';
import { Button, Checkbox } from '@mantine/core';
import { type KeyImage, type KeyImagePicture, keyImages } from '@radwork/contract/reading/key-images';
import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import type { Editor } from '@tiptap/react';
import { IconPhotoOff } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { query, errorMessageOf } from '#core/http/api.ts';
import { toast } from '#core/browser/toasts.ts';
import { insertIntoFindings } from '#reading/editor/extensions/caret-place.ts';
import { reportBytesLimit } from '#reading/editor/extensions/report-size-limit.ts';
import { CancelButton } from '#ui/dialogs/dialog-form.tsx';
import { EmptyState, ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { captionOf, type DrawnKeyImage, keyImagesHtml } from './key-image-html.ts';
import styles from './key-images.module.css';

type Props = { editor: Editor; studyId: string; onClose: () => void };

/** Chooses the key images for the report. Shows the exact images that will be inserted. */
export function KeyImagesChoice(props: Props) {
  const list = useQuery({ ...query(keyImages.ofStudy, { params: { id: props.studyId } }), staleTime: 0 });
  if (list.isFetching && !list.isFetchedAfterMount) return <Skeleton lines={3} label={t`Loading key images`} />;
  if (list.error) {
    return <ErrorState failed={t`Could not load key images`} error={list.error} onRetry={() => void list.refetch()} />;
  }
  if (!list.data || list.data.length === 0) {
    return (
      <EmptyState
        title={t`No key images`}
        detail={t`Open the study in the viewer and press * on an image to mark it.`}
      />
    );
  }
  return <Choice {...props} marked={list.data} />;
}

type Picture = UseQueryResult<KeyImagePicture>;

function Choice({ editor, studyId, marked, onClose }: Props & { marked: readonly KeyImage[] }) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const pictures = useQueries({
    queries: marked.map(({ id }) => ({
      ...query(keyImages.picture, { params: { id: studyId, keyImageId: id } }),
      staleTime: Infinity,
      // The images are rendered each time the dialog opens. They are not cached, because they are large.
      gcTime: 0,
    })),
  });
  const chosen = marked.map((keyImage, at) => ({ keyImage, picture: pictures[at] })).filter(isWanted(left));
  const drawnKeyImages = chosen.flatMap(({ keyImage, picture }): DrawnKeyImage[] =>
    picture?.data ? [{ keyImage, picture: picture.data }] : [],
  );
  const count = drawnKeyImages.length;
  const isDrawing = chosen.some(({ picture }) => picture?.isPending);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (isDrawing || drawnKeyImages.length === 0) return;
    if (insertInto(editor, keyImagesHtml(studyId, drawnKeyImages))) onClose();
  };
  const choose = (id: string, isChosen: boolean) =>
    setLeft((before) => new Set(isChosen ? [...before].filter((one) => one !== id) : [...before, id]));
  return (
    <form onSubmit={submit} className={styles.form}>
      <ul className={styles.list} aria-label={t`Key images`}>
        {marked.map((keyImage, at) => (
          <Entry
            key={keyImage.id}
            keyImage={keyImage}
            picture={pictures[at]}
            isChosen={!left.has(keyImage.id)}
            onChoose={(isChosen) => choose(keyImage.id, isChosen)}
          />
        ))}
      </ul>
      <div className={styles.buttons}>
        <CancelButton onCancel={onClose} />
        <Button type="submit" data-autofocus loading={isDrawing} disabled={drawnKeyImages.length === 0}>
          {t`${plural(count, { one: 'Insert # key image', other: 'Insert # key images' })}`}
        </Button>
      </div>
    </form>
  );
}

/** Whether a key image goes into the report. An image that fails to render does not block the other images. */
const isWanted =
  (left: ReadonlySet<string>) =>
  ({ keyImage, picture }: { keyImage: KeyImage; picture: Picture | undefined }): boolean =>
    !left.has(keyImage.id) && !picture?.isError;

const insertInto = (editor: Editor, html: string): boolean => {
  const bytes = new TextEncoder().encode(editor.getHTML()).length + html.length;
  if (bytes <= reportBytesLimit) return insertIntoFindings(editor, html);
  toast.failure(t`The report would be larger than 5 MB. Select fewer key images.`);
  return false;
};

type EntryProps = {
  keyImage: KeyImage;
  picture: Picture | undefined;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
};

function Entry({ keyImage, picture, isChosen, onChoose }: EntryProps) {
  const { note, author } = keyImage;
  const { name } = author;
  const caption = picture?.data ? captionOf(keyImage, picture.data) : note || t`Key image`;
  return (
    <li>
      <label className={styles.entry} data-left={!isChosen || picture?.isError || undefined}>
        <Checkbox
          aria-label={caption}
          checked={isChosen && !picture?.isError}
          disabled={picture?.isError ?? false}
          onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
        />
        <span className={styles.picture}>
          {picture?.data && <img src={picture.data.src} alt="" />}
          {picture?.isError && <IconPhotoOff size={22} stroke={1.4} aria-hidden />}
        </span>
        <span className={styles.words}>
          <span className={styles.caption}>{caption}</span>
          <span>{t`Marked by ${name}`}</span>
          {picture?.isPending && <span role="status">{t`Rendering…`}</span>}
          {picture?.data?.isWindowKept === false && (
            <span>{t`Shown with the window of the file. The window at marking may differ.`}</span>
          )}
          {picture?.isError && (
            <span role="alert">
              {t`Not inserted.`} {errorMessageOf(picture.error, t`Could not render the image.`)}
            </span>
          )}
        </span>
      </label>
    </li>
  );
}
