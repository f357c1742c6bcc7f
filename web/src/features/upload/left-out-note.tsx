import { memo } from 'react';
import type { LeftOut } from './chosen-files.ts';
import { NamesNote } from './names-note.tsx';

type Props = {
  files: readonly LeftOut[];
  /** What is said of them all. */
  said: string;
};

/**
 * Says which of the chosen files will not be sent: nothing that somebody chose disappears without a word. They do not
 * change while the upload is told of several times a second.
 */
export const LeftOutNote = memo(function LeftOutNote({ files, said }: Props) {
  if (files.length === 0) return null;
  const title = `${files.length.toLocaleString('en-US')} ${files.length === 1 ? 'file' : 'files'} ${said}`;
  return <NamesNote title={title} files={files} />;
});
