import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import type { StoredFile } from '@radwork/contract/imaging/stored-files';
import { IconDownload, IconEye, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fetchBytes, errorMessageOf } from '#core/http/api.ts';
import { saveFile } from '#core/browser/save-file.ts';
import { toast } from '#core/browser/toasts.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { formatSize } from '#ui/formats/formats.ts';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { AddFiles } from './add-files.tsx';
import { FileView, isShown, pathOfFile } from './file-view.tsx';
import type { LibraryKind, Text } from './library-kinds.ts';
import styles from './library.module.css';

/** Dialog shown above the details: a file, or the dialog that adds files. */
type OpenOverlay = StoredFile | 'adding' | undefined;
type Covering = { over: OpenOverlay; setOver: (over: OpenOverlay) => void };

/** Shows a whole text with its files in a dialog. */
export function TextDetails({ kind, id, onClose }: { kind: LibraryKind; id: string; onClose: () => void }) {
  const text = useQuery({
    queryKey: [kind.noun, 'details', id],
    queryFn: ({ signal }) => kind.get(id, signal),
  });
  const [over, setOver] = useState<OpenOverlay>();
  return (
    <Dialog opened onClose={onClose} title={text.data?.title ?? kind.says.one} size={720}>
      {text.isPending && <Skeleton lines={6} />}
      {text.isError && (
        <ErrorState failed={kind.says.failedToLoad} error={text.error} onRetry={() => void text.refetch()} />
      )}
      {text.data && <Details kind={kind} text={text.data} over={over} setOver={setOver} />}
    </Dialog>
  );
}

function Details({ kind, text, over, setOver }: { kind: LibraryKind; text: Text } & Covering) {
  const { says } = kind;
  const hasSubject = kind.noun === 'atlas' || text.modality !== '' || text.bodyPart !== '';
  return (
    <div className={styles.form}>
      <dl className={styles.facts}>
        <dt className="muted">{t`Title`}</dt>
        <dd>{text.title}</dd>
        <dt className="muted">{t`Author`}</dt>
        <dd>{text.author}</dd>
        {hasSubject && (
          <>
            <dt className="muted">{t`Modality`}</dt>
            <dd>{text.modality || t`N/A`}</dd>
            <dt className="muted">{t`Body Part`}</dt>
            <dd>{text.bodyPart || t`N/A`}</dd>
          </>
        )}
      </dl>
      <h3>{says.wordsLabel}</h3>
      <pre className={styles.words} tabIndex={0} role="region" aria-label={says.wordsLabel}>
        {text.words || says.noWords}
      </pre>
      <h3>{says.files}</h3>
      <FileList kind={kind} text={text} over={over} setOver={setOver} />
      {kind.mayManage() && (
        <div className={styles.buttons}>
          <Button variant="default" onClick={() => setOver('adding')}>
            {says.addFiles}
          </Button>
        </div>
      )}
      {over === 'adding' && <AddFiles kind={kind} text={text} onClose={() => setOver(undefined)} />}
    </div>
  );
}

const download = async (file: StoredFile) => {
  try {
    saveFile(file.filename, await fetchBytes(pathOfFile(file), { timeout: 600_000 }));
  } catch (error) {
    toast.failure(errorMessageOf(error, t`Failed to download file`));
  }
};

/** Returns the button labels for viewing, downloading and deleting a file. */
const labelsOf = ({ filename }: StoredFile) => ({
  open: t`Open ${filename}`,
  download: t`Download ${filename}`,
  remove: t`Delete ${filename}`,
});

function FileList({ kind, text, over, setOver }: { kind: LibraryKind; text: Text } & Covering) {
  const { says } = kind;
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: (file: StoredFile) => kind.removeFile(text.id, file.id),
    onSuccess: () => {
      toast.success(says.fileDeleted);
      return client.invalidateQueries({ queryKey: [kind.noun] });
    },
    onError: (error) => toast.failure(errorMessageOf(error, says.failedToDeleteFile)),
  });
  const askToRemove = async (file: StoredFile) => {
    const { filename } = file;
    const size = formatSize(file.size);
    const consequence = t`${filename} (${size}) will be deleted for all users. This cannot be undone.`;
    const isAgreed = await confirm({ question: says.askToDeleteFile, consequence, verb: says.verbOfFile });
    if (isAgreed) remove.mutate(file);
  };
  if (text.files.length === 0) return <p className="muted">{says.noFiles}</p>;
  return (
    <ul className={styles.files}>
      {text.files.map((file) => (
        <li key={file.id}>
          <span className={styles.name}>{file.filename}</span>
          <span className="muted">{file.contentType}</span>
          <span className="muted">{formatSize(file.size)}</span>
          {isShown(file) && (
            <Tooltip label={t`Open`}>
              <ActionIcon aria-label={labelsOf(file).open} onClick={() => setOver(file)}>
                <IconEye size={16} />
              </ActionIcon>
            </Tooltip>
          )}
          <Tooltip label={t`Download`}>
            <ActionIcon aria-label={labelsOf(file).download} onClick={() => void download(file)}>
              <IconDownload size={16} />
            </ActionIcon>
          </Tooltip>
          {kind.mayManage() && (
            <Tooltip label={t`Delete`}>
              <ActionIcon
                aria-label={labelsOf(file).remove}
                disabled={remove.isPending}
                onClick={() => void askToRemove(file)}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Tooltip>
          )}
        </li>
      ))}
      {typeof over === 'object' && <FileView file={over} onClose={() => setOver(undefined)} />}
    </ul>
  );
}
