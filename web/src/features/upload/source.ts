/**
 * Where the bytes of a chosen file come from: the disk, or a ZIP file on it. It is a light record: thousands of them
 * cost little, because bytes are read only when their time comes.
 */
export type Source = {
  /** Its path inside the chosen folder or ZIP, or the bare name. */
  readonly name: string;
  /** In bytes. Read once: a browser looks at the disk each time it is asked for a file's size. */
  readonly size: number;
  /** When it was last changed, in milliseconds since 1970. */
  readonly modified: number;
  /** Whether it comes out of a ZIP file. */
  readonly isPacked: boolean;
  /** Its first bytes, at least as many as asked for where it has that many. Rejects when it cannot be read. */
  readonly head: (length: number) => Promise<Blob>;
  /** All of it. Rejects with SourceProblem when it cannot be had, unless only reading would show. */
  readonly open: () => Promise<Blob>;
};

/** Why a file could not be read, in words for whoever chose it. */
export class SourceProblem extends Error {
  override readonly name = 'SourceProblem';
}

/** A file on disk. */
export const sourceOfFile = (file: File, name: string): Source => ({
  name,
  size: file.size,
  modified: file.lastModified,
  isPacked: false,
  head: async (length) => file.slice(0, length),
  open: async () => file,
});
