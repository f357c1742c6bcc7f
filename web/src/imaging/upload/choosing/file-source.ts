/** A chosen file on disk or in a ZIP file. Holds no bytes, so thousands of them use little memory. */
export type FileSource = {
  /** Path inside the chosen folder or ZIP file, or only the name. */
  readonly name: string;
  /** Size in bytes. Read once, because browsers access the disk for each size. */
  readonly size: number;
  /** Time of the last change, in milliseconds since 1970. */
  readonly modified: number;
  /** True for a file in a ZIP file. */
  readonly isPacked: boolean;
  /** Returns the first bytes: at least `length` if the file is long enough. Rejects if unreadable. */
  readonly head: (length: number) => Promise<Blob>;
  /**
   * Returns the whole file. Rejects with SourceProblem if it is unavailable. Some problems only appear when the Blob is
   * read.
   */
  readonly open: () => Promise<Blob>;
};

/** The reason why a file is unreadable, as a message for the user. */
export class SourceProblem extends Error {
  override readonly name = 'SourceProblem';
}

/** A file on disk. */
export const sourceOfFile = (file: File, name: string): FileSource => ({
  name,
  size: file.size,
  modified: file.lastModified,
  isPacked: false,
  head: async (length) => file.slice(0, length),
  open: async () => file,
});
