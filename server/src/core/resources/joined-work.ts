type Entry<Item, Result> = { item: Item; result: PromiseWithResolvers<Result> };
type Lane<Item, Result> = { waiting: Entry<Item, Result>[]; running: Set<readonly Item[]>; isBusy: boolean };

type Options<Key, Item, Result> = {
  /** Runs a group. Returns one result for each item, in order. */
  run: (items: readonly [Item, ...Item[]]) => Promise<readonly Result[]>;
  /** Starts work when the key has its turn. The group is formed at that moment. */
  inTurn: (key: Key, work: () => Promise<void>) => Promise<void>;
  /** Returns whether an item may run in this group. */
  fits: (item: Item, group: readonly [Item, ...Item[]]) => boolean;
  /** Returns whether an item would wait inside its group for a running item. It then runs after that item's group. */
  waitsFor: (item: Item, running: Item) => boolean;
  /** Milliseconds after which a running group no longer delays the next one. */
  slowAfter: number;
};

/** The group of an item failed. Some other item may be the cause. */
export class GroupFailed extends Error {
  override readonly name = 'GroupFailed';
}

/**
 * Joins work of the same key. An item that comes alone runs at once. Items that come while it runs wait, and run
 * together as the next group, in order of arrival. An item that does not fit the group, or would wait for a slow one,
 * runs in a later group. If a group of several items fails, each of them gets GroupFailed with the cause; an item that
 * ran alone gets its own error.
 */
export const createJoinedWork = <Key, Item, Result>({
  run,
  inTurn,
  fits,
  waitsFor,
  slowAfter,
}: Options<Key, Item, Result>) => {
  type Group = { items: [Item, ...Item[]]; results: PromiseWithResolvers<Result>[] };
  const lanes = new Map<Key, Lane<Item, Result>>();

  const mayStart = ({ running }: Lane<Item, Result>, item: Item): boolean =>
    ![...running].some((items) => items.some((other) => waitsFor(item, other)));

  /** Removes the next group from the waiting items. Undefined if all of them wait for running ones. */
  const takeGroup = (lane: Lane<Item, Result>): Group | undefined => {
    let group: Group | undefined;
    lane.waiting = lane.waiting.filter(({ item, result }) => {
      if (!mayStart(lane, item) || (group && !fits(item, group.items))) return true;
      if (!group) group = { items: [item], results: [] };
      else group.items.push(item);
      group.results.push(result);
      return false;
    });
    return group;
  };

  const runGroup = async (group: Group): Promise<void> => {
    try {
      const results = await run(group.items);
      for (const [index, result] of results.entries()) group.results[index]?.resolve(result);
    } catch (error) {
      const failure = group.items.length > 1 ? new GroupFailed('A group of work failed', { cause: error }) : error;
      for (const result of group.results) result.reject(failure);
    }
  };

  const startNext = (key: Key, lane: Lane<Item, Result>): void => {
    if (lane.isBusy) return;
    if (lane.waiting.some(({ item }) => mayStart(lane, item))) void runNext(key, lane);
    else if (lane.waiting.length === 0 && lane.running.size === 0 && lanes.get(key) === lane) lanes.delete(key);
  };

  const runNext = async (key: Key, lane: Lane<Item, Result>): Promise<void> => {
    lane.isBusy = true;
    const free = once(() => {
      lane.isBusy = false;
      startNext(key, lane);
    });
    await inTurn(key, async () => {
      const group = takeGroup(lane);
      if (!group) return;
      lane.running.add(group.items);
      const slow = setTimeout(free, slowAfter);
      await runGroup(group);
      clearTimeout(slow);
      lane.running.delete(group.items);
    });
    free();
    // Items that waited for this group may start now, even if the next group is running.
    startNext(key, lane);
  };

  return (key: Key, item: Item): Promise<Result> => {
    const lane = lanes.get(key) ?? { waiting: [], running: new Set(), isBusy: false };
    lanes.set(key, lane);
    const result = Promise.withResolvers<Result>();
    lane.waiting.push({ item, result });
    startNext(key, lane);
    return result.promise;
  };
};

const once = (work: () => void) => {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
};
