import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { errorMessageOf } from '#core/http/api.ts';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import { areSendable, FileChooser, Sending } from './file-chooser.tsx';
import type { LibraryKind, Text } from './library-kinds.ts';
import styles from './library.module.css';
import { useTextUpload } from './use-text-upload.ts';

/** Dialog that adds files to an atlas entry or guideline without changing its text. */
export function AddFiles({ kind, text, onClose }: { kind: LibraryKind; text: Text; onClose: () => void }) {
  const { says, accept } = kind;
  const [files, setFiles] = useState<File[]>([]);
  const sending = useTextUpload(kind, { done: says.filesAdded, failed: says.failedToAdd }, onClose);
  return (
    <Dialog opened onClose={onClose} title={says.addFiles} size={520} closeOnClickOutside={false}>
      <div className={styles.form}>
        <FileChooser
          label={says.selectFiles}
          accept={accept}
          files={files}
          onFiles={setFiles}
          faultOf={sending.faultOf}
        />
        {sending.error && <Notice tone="danger">{errorMessageOf(sending.error, says.failedToAdd)}</Notice>}
        <Sending share={sending.share} />
        <div className={styles.buttons}>
          <Button variant="default" onClick={sending.isPending ? sending.cancel : onClose}>
            {t`Cancel`}
          </Button>
          <Button
            disabled={files.length === 0 || sending.isPending || !areSendable(files, accept)}
            onClick={() => void sending.send({ known: text, files })}
          >
            {says.addFiles}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
