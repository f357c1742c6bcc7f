import { plural, t } from '@lingui/core/macro';
import { memo } from 'react';
import type { SkippedFile } from './chosen-files.ts';
import { FileNamesNote } from './file-names-note.tsx';

type Props = {
  files: readonly SkippedFile[];
  reason: 'left out' | 'in the list already';
};

/**
 * Lists the chosen files that will not be sent. Memoized, because the upload reports progress several times a second.
 */
export const SkippedFilesNote = memo(function SkippedFilesNote({ files, reason }: Props) {
  if (files.length === 0) return null;
  const count = files.length;
  const title =
    reason === 'left out'
      ? t`${plural(count, { one: '# file left out', other: '# files left out' })}`
      : t`${plural(count, { one: '# file already in the list', other: '# files already in the list' })}`;
  return <FileNamesNote title={title} files={files} />;
});
