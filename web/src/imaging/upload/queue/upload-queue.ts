import type { FileOutcome } from '#core/http/upload.ts';
import { batchLength } from './batches.ts';
import type { ChosenFile } from '#imaging/upload/choosing/recognize-files.ts';
import { fileLostMessage, readBatchBytes, type BatchItem } from './batch-contents.ts';
import { bytesPerSecond, type Sample, sampled } from './transfer-rate.ts';
import type { Delivery, UploadPorts } from './upload-ports.ts';
import { isUnreachable, isArchiveFull, isSignedOut, isOutcomeUnknown, messageOf } from './upload-errors.ts';
import type { UploadSnapshot } from './upload-snapshot.ts';
import {
  asStoredEarlier,
  failed,
  identityOf,
  pending,
  withOutcome,
  totalsOf,
  withMayHaveArrived,
  uploading,
  type UploadItem,
} from './upload-item.ts';

const batchesAtOnce = 3;
const waitsBeforeRetries = [1000, 3000, 9000];

type Run = {
  delivery: Delivery;
  /**
   * IDs of the items in the list when the user started the run. Files added later are not sent, because the user has
   * not seen the patients of these files.
   */
  ids: ReadonlySet<number>;
  abort: AbortController;
  isChecking: boolean;
  isPausing: boolean;
};

const itemOf = ({ item }: { item: UploadItem }) => item;

const afterFault = (parcels: readonly BatchItem[], error: unknown): BatchItem[] =>
  parcels.map(({ item, body }) => ({ item: isOutcomeUnknown(error) ? withMayHaveArrived(item) : item, body }));

/**
 * Queue of the chosen files. Sends them in batches, a few at a time, and retries after connection errors. Uses screen
 * and network only through `UploadPorts`, so that tests can cover every path.
 */
export class UploadQueue {
  readonly #ports: UploadPorts;
  readonly #listeners = new Set<() => void>();
  /** Bytes sent so far of each running batch, by the ID of its first item. */
  readonly #underWay = new Map<number, number>();
  #items: readonly UploadItem[] = [];
  #totals = totalsOf([]);
  #nextId = 1;
  #run: Run | undefined;
  #interruption: string | undefined;
  #hasSent = false;
  #unsureFiles = 0;
  /** Numbers of files and bytes chosen during the run. These files wait for the next run. */
  #later = totalsOf([]).Pending;
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

  /**
   * Adds each file once. Returns the files that were already in the list. Files added during a run wait for the next
   * run.
   */
  add(files: readonly ChosenFile[]): ChosenFile[] {
    const known = new Set(this.#items.map(identityOf));
    const added: UploadItem[] = [];
    const repeated: ChosenFile[] = [];
    for (const file of files) {
      const identity = identityOf(file);
      if (known.has(identity)) {
        repeated.push(file);
        continue;
      }
      known.add(identity);
      added.push({ ...file, id: this.#nextId++, state: 'Pending' });
    }
    this.#setItems([...this.#items, ...added]);
    return repeated;
  }

  /** Removes a file from the list, unless it is being sent. */
  remove(id: number) {
    this.#setItems(this.#items.filter((item) => item.id !== id || item.state === 'Uploading'));
  }

  /** Empties the list, unless a run is under way. */
  clear() {
    if (this.#run) return;
    this.#interruption = undefined;
    this.#hasSent = false;
    this.#setItems([]);
  }

  /** Removes these files from the list, except files being sent. */
  removeAll(ids: ReadonlySet<number>) {
    this.#setItems(this.#items.filter((item) => !ids.has(item.id) || item.state === 'Uploading'));
  }

  /** Sends all pending files. Resolves when all are done, or after a pause or a cancel. */
  async start(delivery: Delivery): Promise<void> {
    if (this.#run) return;
    const items = this.#items.filter(({ state }) => state === 'Pending');
    const ids = new Set(items.map(({ id }) => id));
    const run = {
      delivery,
      ids,
      abort: new AbortController(),
      isChecking: delivery.findStored !== undefined,
      isPausing: false,
    };
    this.#run = run;
    this.#interruption = undefined;
    this.#samples = [];
    this.#publish();
    try {
      if (delivery.findStored) await this.#passOverStored(run, delivery.findStored(items, run.abort.signal));
      await Promise.all(Array.from({ length: batchesAtOnce }, () => this.#deliverBatches(run)));
    } finally {
      this.#run = undefined;
      this.#setItems(this.#items);
    }
  }

  /** Stops sending. Files being sent become pending again. They are marked, because some may have arrived. */
  cancel() {
    this.#run?.abort.abort();
  }

  /** Finishes the running batches and starts no other batch. A call of `start` continues the upload. */
  pause() {
    if (!this.#run) return;
    this.#run.isPausing = true;
    this.#publish();
  }

  /** Sends the failed files again, together with all pending files. */
  async retryFailed(delivery: Delivery): Promise<void> {
    if (this.#run) return;
    this.#setItems(this.#items.map((item) => (item.state === 'Failed' ? pending(item) : item)));
    await this.start(delivery);
  }

  /** Marks files that an earlier upload has stored as uploaded. */
  async #passOverStored(run: Run, storedIds: Promise<ReadonlySet<number>>) {
    const ids = await storedIds;
    run.isChecking = false;
    if (run.abort.signal.aborted) return;
    const stored = this.#items.filter(({ id, state }) => ids.has(id) && state === 'Pending');
    this.#change(stored, asStoredEarlier);
    // Restarts the speed measurement, because files that were already stored do not count.
    this.#samples = [];
  }

  async #deliverBatches(run: Run) {
    while (!run.abort.signal.aborted && !run.isPausing) {
      const batch = this.#takeBatch(run);
      if (batch.length === 0) return;
      await this.#deliver(batch, run);
    }
  }

  #takeBatch({ ids }: Run): readonly UploadItem[] {
    const waiting = this.#items.filter(({ id, state }) => state === 'Pending' && ids.has(id));
    const batch = waiting.slice(0, batchLength(waiting.map(({ source }) => source.size)));
    this.#change(batch, uploading);
    return batch;
  }

  async #deliver(items: readonly UploadItem[], run: Run) {
    let parcels = await this.#prepare(items, run);
    if (parcels.length === 0) return;
    for (const wait of [...waitsBeforeRetries, undefined]) {
      if (run.abort.signal.aborted) break;
      try {
        this.#settle(parcels, await this.#send(parcels, run), run);
        return;
      } catch (error) {
        if (run.abort.signal.aborted) {
          parcels = afterFault(parcels, error);
          break;
        }
        // Puts aside files that can no longer be read. A single such file makes the request of its whole batch fail.
        parcels = afterFault(await this.#setUnreadableAside(parcels), error);
        if (parcels.length === 0) return;
        if (!isUnreachable(error) || wait === undefined) {
          this.#giveUp(parcels.map(itemOf), error, run);
          return;
        }
        await this.#ports.pause(Math.max(wait, (error.retryAfterSeconds ?? 0) * 1000), run.abort.signal);
      }
    }
    this.#change(parcels.map(itemOf), pending);
  }

  /** Returns the bytes of the items. If an item has no bytes, only this item fails. */
  async #prepare(batch: readonly UploadItem[], { delivery }: Run): Promise<BatchItem[]> {
    const { parcels, problems } = await readBatchBytes(batch, delivery.prepare);
    this.#change([...problems.keys()], (item) => failed(item, problems.get(item) ?? fileLostMessage));
    return parcels;
  }

  async #send(parcels: readonly BatchItem[], { delivery, abort }: Run): Promise<readonly (FileOutcome | undefined)[]> {
    const key = parcels[0]?.item.id ?? 0;
    const onProgress = (sentBytes: number) => {
      this.#underWay.set(key, sentBytes);
      this.#publish();
    };
    const files = parcels.map(({ item, body }) => ({ body, size: item.source.size }));
    const { studyInstanceUID } = delivery;
    this.#hasSent = true;
    this.#publish();
    try {
      return await this.#ports.send(files, { studyInstanceUID, signal: abort.signal, onProgress });
    } finally {
      this.#underWay.delete(key);
    }
  }

  #settle(parcels: readonly BatchItem[], outcomes: readonly (FileOutcome | undefined)[], { delivery }: Run) {
    const items = parcels.map(itemOf);
    this.#change(items, (item, index) => withOutcome(item, outcomes[index]));
    delivery.onStored(items.filter((_, index) => outcomes[index]?.isStored));
  }

  async #setUnreadableAside(parcels: readonly BatchItem[]): Promise<BatchItem[]> {
    const readable = await Promise.all(parcels.map(({ body }) => this.#ports.isReadable(body)));
    const unreadable = parcels.filter((_, index) => !readable[index]);
    this.#change(unreadable.map(itemOf), (item) => failed(item, fileLostMessage));
    return parcels.filter((_, index) => readable[index]);
  }

  #giveUp(batch: readonly UploadItem[], error: unknown, run: Run) {
    if (isSignedOut(error) || isArchiveFull(error)) {
      this.#interruption = messageOf(error);
      this.#change(batch, pending);
      run.abort.abort();
      return;
    }
    this.#change(batch, (item) => failed(item, messageOf(error)));
    if (!isUnreachable(error)) return;
    // Stops the run, because the next batches would fail too. The user decides when to continue.
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
    const ids = this.#run?.ids;
    this.#later = totalsOf(ids ? items.filter(({ id }) => !ids.has(id)) : []).Pending;
    this.#unsureFiles = items.filter(({ mayHaveArrived }) => mayHaveArrived).length;
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
      isChecking: this.#run?.isChecking ?? false,
      isPausing: this.#run?.isPausing ?? false,
      sentBytes,
      totalBytes: Pending.bytes - this.#later.bytes + Uploading.bytes + Uploaded.bytes + Failed.bytes,
      laterFiles: this.#later.files,
      bytesPerSecond: this.#run && bytesPerSecond(this.#samples),
      interruption: this.#interruption,
      hasSent: this.#hasSent,
      unsureFiles: this.#unsureFiles,
    };
  }
}
