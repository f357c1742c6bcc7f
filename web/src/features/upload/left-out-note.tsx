import { formatNumber } from '#ui/formats.ts';
import { memo } from 'react';
import type { LeftOut } from './chosen-files.ts';
import { NamesNote } from './names-note.tsx';

type Props = {
  files: readonly LeftOut[];
  /** Text after the number of files. */
  said: string;
};

/**
 * Lists the chosen files that will not be sent. Memoized, because the upload reports progress several times a second.
 */
export const LeftOutNote = memo(function LeftOutNote({ files, said }: Props) {
  if (files.length === 0) return null;
  const title = `${formatNumber(files.length)} ${files.length === 1 ? 'file' : 'files'} ${said}`;
  return <NamesNote title={title} files={files} />;
});
