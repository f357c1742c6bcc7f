/** Memory shared by the main thread and a disk thread. The main thread changes it only after the reply. */
export type SharedBytes = Uint8Array<SharedArrayBuffer>;

/** A file being received. `id` is unique. */
export type TemporaryFile = { id: number; path: string };

/** Messages to a disk thread, sent in batches. A reply carries the number of the `call`. `hash` gets no reply. */
export type ToDisk =
  /** Adds bytes to the hash. */
  | { kind: 'hash'; file: TemporaryFile; bytes: SharedBytes }
  /** Appends bytes. The first write creates the file. */
  | { kind: 'write'; call: number; file: TemporaryFile; bytes: SharedBytes }
  /** Finishes the hash and replies with the SHA-256 in hexadecimal. */
  | { kind: 'digest'; call: number; file: TemporaryFile }
  /** Appends the last bytes and closes the file. With `isDurable`, the file survives a power cut. */
  | { kind: 'close'; call: number; file: TemporaryFile; bytes: SharedBytes; isDurable: boolean }
  | { kind: 'remove'; call: number; file: TemporaryFile }
  /** Renames files to their final names, then syncs `folders`. */
  | { kind: 'rename'; call: number; renames: readonly Rename[]; folders: readonly string[] };

export type Rename = { from: string; to: string };

export type FromDisk = { call: number; answer: string | undefined } | { call: number; error: SystemError };

/** The parts of an error that can be sent between threads. */
export type SystemError = { message: string; code: string | undefined; syscall: string | undefined };
