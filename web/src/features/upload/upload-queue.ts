import { ApiError } from '#core/api.ts';
import type { FileOutcome, NamedFile } from '#core/upload.ts';
import { batchLength } from './batches.ts';
import { bytesPerSecond, type Sample, sampled } from './transfer-rate.ts';
import {
  failed,
  identityOf,
  pending,
  settled,
  type Totals,
  totalsOf,
  uploading,
  type UploadItem,
} from './upload-item.ts';

export type UploadSnapshot = {
  items: readonly UploadItem[];
  totals: Totals;
  isRunning: boolean;
  /** Bytes dealt with, those under way included, of the bytes of all items. */
  sentBytes: number;
  totalBytes: number;
  bytesPerSecond: number | undefined;
  /** Why the last run stopped before its end; what it did not reach is still Pending. */
  interruption: string | undefined;
};

type SendOptions = {
  studyInstanceUID: string | undefined;
  onProgress: (sentBytes: number) => void;
  signal: AbortSignal;
};

/** What the queue asks of the world around it. */
export type UploadPorts = {
  /** Sends one batch and says what became of each file, in the same order. Throws ApiError when the whole call failed. */
  send: (files: readonly NamedFile[], options: SendOptions) => Promise<readonly (FileOutcome | undefined)[]>;
  /** Waits, or until the signal fires. */
  pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Whether a file can still be read from disk. */
  isReadable: (file: File) => Promise<boolean>;
  /** Milliseconds since some moment. */
  now: () => number;
};

const batchesAtOnce = 3;
const waitsBeforeRetries = [1000, 3000, 9000];

/** Nobody received the batch, or only a gateway did. Sending it again may help and never harms: stored twice is stored once. */
const isAway = (error: unknown): error is ApiError =>
  error instanceof ApiError && [0, 408, 429, 502, 503, 504].includes(error.status);

const isSignedOut = (error: unknown) => error instanceof ApiError && error.status === 401;

const wordsOf = (error: unknown) => (error instanceof ApiError ? error.message : 'The file could not be sent');

type Run = { studyInstanceUID: string | undefined; abort: AbortController };

/**
 * The files that somebody chose, and their way to the archive: in batches, a few at a time, again when the connection
 * breaks. It knows neither the screen nor the network, so that every path through it can be tested.
 */
export class UploadQueue {
  readonly #ports: UploadPorts;
  readonly #listeners = new Set<() => void>();
  /** Bytes sent of each batch under way, by the id of its first item. */
  readonly #underWay = new Map<number, number>();
  #items: readonly UploadItem[] = [];
  #totals = totalsOf([]);
  #nextId = 1;
  #run: Run | undefined;
  #interruption: string | undefined;
  #samples: Sample[] = [];
  #snapshot: UploadSnapshot;

  constructor(ports: UploadPorts) {
    this.#ports = ports;
    this.#snapshot = this.#summarize();
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = () => this.#snapshot;

  /** Adds files, each once, and says how many were new. Files added during a run join it. */
  add(files: readonly NamedFile[]): number {
    const known = new Set(this.#items.map(identityOf));
    const added: UploadItem[] = [];
    for (const file of files) {
      const identity = identityOf(file);
      if (known.has(identity)) continue;
      known.add(identity);
      added.push({ ...file, id: this.#nextId++, state: 'Pending' });
    }
    this.#setItems([...this.#items, ...added]);
    return added.length;
  }

  /** Takes one file off the list, unless it is on its way. */
  remove(id: number) {
    this.#setItems(this.#items.filter((item) => item.id !== id || item.state === 'Uploading'));
  }

  /** Empties the list, unless something is on its way. */
  clear() {
    if (this.#run) return;
    this.#interruption = undefined;
    this.#setItems([]);
  }

  /** Sends everything that is Pending; resolves when nothing is left to do, or after a cancel. */
  async start(studyInstanceUID?: string): Promise<void> {
    if (this.#run) return;
    const run = { studyInstanceUID, abort: new AbortController() };
    this.#run = run;
    this.#interruption = undefined;
    this.#samples = [];
    this.#publish();
    await Promise.all(Array.from({ length: batchesAtOnce }, () => this.#deliverBatches(run)));
    this.#run = undefined;
    this.#publish();
  }

  /** Stops sending. What is under way becomes Pending again, for nobody knows how much of it arrived. */
  cancel() {
    this.#run?.abort.abort();
  }

  /** Sends what failed once more, and with it whatever is Pending. */
  async retryFailed(studyInstanceUID?: string): Promise<void> {
    if (this.#run) return;
    this.#setItems(this.#items.map((item) => (item.state === 'Failed' ? pending(item) : item)));
    await this.start(studyInstanceUID);
  }

  async #deliverBatches(run: Run) {
    while (!run.abort.signal.aborted) {
      const batch = this.#takeBatch();
      if (batch.length === 0) return;
      await this.#deliver(batch, run);
    }
  }

  #takeBatch(): readonly UploadItem[] {
    const waiting = this.#items.filter((item) => item.state === 'Pending');
    const batch = waiting.slice(0, batchLength(waiting.map(({ size }) => size)));
    this.#change(batch, uploading);
    return batch;
  }

  async #deliver(taken: readonly UploadItem[], run: Run) {
    let batch = taken;
    for (const wait of [...waitsBeforeRetries, undefined]) {
      try {
        const outcomes = await this.#send(batch, run);
        this.#change(batch, (item, index) => settled(item, outcomes[index]));
        return;
      } catch (error) {
        if (run.abort.signal.aborted) break;
        // A file that went away since it was chosen breaks the request of the whole batch.
        batch = await this.#setUnreadableAside(batch);
        if (batch.length === 0) return;
        if (!isAway(error) || wait === undefined) {
          this.#giveUp(batch, error, run);
          return;
        }
        await this.#ports.pause(Math.max(wait, (error.retryAfterSeconds ?? 0) * 1000), run.abort.signal);
        if (run.abort.signal.aborted) break;
      }
    }
    this.#change(batch, pending);
  }

  async #send(
    batch: readonly UploadItem[],
    { studyInstanceUID, abort }: Run,
  ): Promise<readonly (FileOutcome | undefined)[]> {
    const key = batch[0]?.id ?? 0;
    const onProgress = (sentBytes: number) => {
      this.#underWay.set(key, sentBytes);
      this.#publish();
    };
    try {
      return await this.#ports.send(batch, { studyInstanceUID, signal: abort.signal, onProgress });
    } finally {
      this.#underWay.delete(key);
    }
  }

  async #setUnreadableAside(batch: readonly UploadItem[]): Promise<readonly UploadItem[]> {
    const readable = await Promise.all(batch.map(({ file }) => this.#ports.isReadable(file)));
    const gone = batch.filter((_, index) => !readable[index]);
    this.#change(gone, (item) => failed(item, 'The file cannot be read any more: it was moved, changed or removed'));
    return batch.filter((_, index) => readable[index]);
  }

  #giveUp(batch: readonly UploadItem[], error: unknown, run: Run) {
    if (isSignedOut(error)) {
      this.#change(batch, pending);
      run.abort.abort();
      return;
    }
    this.#change(batch, (item) => failed(item, wordsOf(error)));
    if (!isAway(error)) return;
    // The next batches would only fail one after the other: a person decides when to go on.
    this.#interruption = error.message;
    run.abort.abort();
  }

  #change(batch: readonly UploadItem[], change: (item: UploadItem, index: number) => UploadItem) {
    if (batch.length === 0) return;
    const changed = new Map(batch.map((item, index) => [item.id, change(item, index)]));
    this.#setItems(this.#items.map((item) => changed.get(item.id) ?? item));
  }

  #setItems(items: readonly UploadItem[]) {
    this.#items = items;
    this.#totals = totalsOf(items);
    this.#publish();
  }

  #publish() {
    this.#snapshot = this.#summarize();
    for (const listener of this.#listeners) listener();
  }

  #summarize(): UploadSnapshot {
    const { Pending, Uploading, Uploaded, Failed } = this.#totals;
    const underWay = [...this.#underWay.values()].reduce((sum, bytes) => sum + bytes, 0);
    const sentBytes = Uploaded.bytes + Failed.bytes + underWay;
    if (this.#run) this.#samples = sampled(this.#samples, { at: this.#ports.now(), bytes: sentBytes });
    return {
      items: this.#items,
      totals: this.#totals,
      isRunning: this.#run !== undefined,
      sentBytes,
      totalBytes: Pending.bytes + Uploading.bytes + Uploaded.bytes + Failed.bytes,
      bytesPerSecond: this.#run && bytesPerSecond(this.#samples),
      interruption: this.#interruption,
    };
  }
}
