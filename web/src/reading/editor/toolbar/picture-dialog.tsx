import { t } from '@lingui/core/macro';
import { Button, FileInput, TextInput } from '@mantine/core';
import { reportPictures } from '@radwork/contract/reading/report-pictures';
import type { Editor } from '@tiptap/react';
import { type FormEvent, useState } from 'react';
import { call, errorMessageOf } from '#core/http/api.ts';
import { CancelButton } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { longestAlternative } from './picture-tools.tsx';
import { insertPicture, type Picture, PictureError, pictureFrom } from '#reading/editor/extensions/pictures.ts';
import styles from '#reading/editor/report-editor.module.css';

type Props = { editor: Editor; opened: boolean; onClose: () => void };

/** Dialog to insert a picture from a file or URL, with its description. */
export function PictureDialog({ editor, opened, onClose }: Props) {
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t`Insert image`}
      size={460}
      returnFocus={false}
      onExitTransitionEnd={() => editor.commands.focus()}
    >
      <PictureForm editor={editor} onClose={onClose} />
    </Dialog>
  );
}

type Faults = { url?: string; file?: string };

function PictureForm({ editor, onClose }: Omit<Props, 'opened'>) {
  const [url, setUrl] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const [alternative, setAlternative] = useState('');
  const [faults, setFaults] = useState<Faults>({});
  const [isPending, setIsPending] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    setIsPending(true);
    const result = await pictureOf(file, url);
    setIsPending(false);
    if ('faults' in result) return setFaults(result.faults);
    insertPicture(editor, { ...result.picture, alt: alternative.trim() });
    onClose();
  };
  return (
    <form className={styles.dialog} onSubmit={(event) => void submit(event)} noValidate>
      <TextInput
        label="URL"
        description={t`The image is copied into the report.`}
        placeholder="https://"
        inputMode="url"
        autoComplete="off"
        maxLength={2048}
        data-autofocus
        disabled={file !== null}
        value={url}
        error={faults.url}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      <FileInput
        label={t`Or a file`}
        placeholder={t`Choose image file`}
        accept="image/png,image/jpeg,image/gif,image/webp"
        clearable
        value={file}
        error={faults.file}
        onChange={setFile}
      />
      <TextInput
        label={t`Alternative text`}
        description={t`Describes the image for screen readers`}
        maxLength={longestAlternative}
        value={alternative}
        onChange={({ currentTarget }) => setAlternative(currentTarget.value)}
      />
      <div className={styles.dialogButtons}>
        <CancelButton onCancel={onClose} />
        <Button type="submit" loading={isPending}>
          {t`Insert image`}
        </Button>
      </div>
    </form>
  );
}

/** Returns the chosen picture, reduced and embedded, or the errors to show. */
const pictureOf = async (file: File | null, url: string): Promise<{ picture: Picture } | { faults: Faults }> => {
  try {
    if (file) return { picture: await pictureFrom(file) };
    if (url.trim() === '') return { faults: { url: t`Enter a URL or choose a file` } };
    return { picture: await call(reportPictures.fetch, { body: { url } }, { timeout: 20_000 }) };
  } catch (error) {
    if (error instanceof PictureError) return { faults: { file: error.message } };
    return { faults: { url: errorMessageOf(error, t`The image could not be loaded. Check the URL and try again.`) } };
  }
};
