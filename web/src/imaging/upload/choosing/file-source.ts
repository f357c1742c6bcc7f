/** A chosen file, on disk or in a ZIP file. It holds no content, so that thousands of files use little memory. */
export type FileSource = {
  /** Path inside the chosen folder or ZIP file, or the file name alone. */
  readonly name: string;
  /** Size in bytes. Read once, because browsers access the disk each time. */
  readonly size: number;
  /** Time of the last change, in milliseconds since 1970. */
  readonly modified: number;
  /** Whether the file is inside a ZIP file. */
  readonly isPacked: boolean;
  /**
   * Returns the first bytes of the file: at least `length`, if the file has that many. Rejects if the file cannot be
   * read.
   */
  readonly head: (length: number) => Promise<Blob>;
  /**
   * Returns the whole file. Rejects with SourceProblem if the file is not available. Some problems appear only when the
   * Blob is read.
   */
  readonly open: () => Promise<Blob>;
};

/** Error for a file that cannot be read. The message is shown to the user. */
export class SourceProblem extends Error {
  override readonly name = 'SourceProblem';
}

/** Returns the source for a file on disk. */
export const sourceOfFile = (file: File, name: string): FileSource => ({
  name,
  size: file.size,
  modified: file.lastModified,
  isPacked: false,
  head: async (length) => file.slice(0, length),
  open: async () => file,
});
