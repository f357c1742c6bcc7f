type Entry<Item, Result> = { item: Item; result: PromiseWithResolvers<Result> };
type Lane<Item, Result> = { waiting: Entry<Item, Result>[]; isBusy: boolean };

type Options<Key, Item, Result> = {
  /** Runs a group. Returns one result for each item, in order. */
  run: (items: readonly [Item, ...Item[]]) => Promise<readonly Result[]>;
  /** Starts work when the key has its turn. The group is formed at that moment. */
  inTurn: (key: Key, work: () => Promise<void>) => Promise<void>;
  /** Returns whether an item may run in this group. */
  fits: (item: Item, group: readonly [Item, ...Item[]]) => boolean;
  /** Milliseconds after which a running group no longer delays the next one. */
  slowAfter: number;
};

/** The group of an item failed. Some other item may be the cause. */
export class GroupFailed extends Error {
  override readonly name = 'GroupFailed';
}

/**
 * Joins work of the same key. An item that comes alone runs at once. Items that come while it runs wait, and run
 * together as the next group, in order of arrival. An item that does not fit the group runs in a later one. If a group of
 * several items fails, each of them gets GroupFailed with the cause; an item that ran alone gets its own error.
 */
export const createJoinedWork = <Key, Item, Result>({ run, inTurn, fits, slowAfter }: Options<Key, Item, Result>) => {
  type Group = { items: [Item, ...Item[]]; results: PromiseWithResolvers<Result>[] } | undefined;
  const lanes = new Map<Key, Lane<Item, Result>>();

  /** Removes the next group from the waiting items. */
  const takeGroup = (lane: Lane<Item, Result>): Group => {
    const [first, ...others] = lane.waiting;
    if (!first) return undefined;
    const group: Group = { items: [first.item], results: [first.result] };
    lane.waiting = others.filter(({ item, result }) => {
      if (!fits(item, group.items)) return true;
      group.items.push(item);
      group.results.push(result);
      return false;
    });
    return group;
  };

  const runGroup = async (group: Group): Promise<void> => {
    if (!group) return;
    try {
      const results = await run(group.items);
      for (const [index, result] of results.entries()) group.results[index]?.resolve(result);
    } catch (error) {
      const failure = group.items.length > 1 ? new GroupFailed('A group of work failed', { cause: error }) : error;
      for (const result of group.results) result.reject(failure);
    }
  };

  const runNext = async (key: Key, lane: Lane<Item, Result>): Promise<void> => {
    lane.isBusy = true;
    const free = once(() => {
      lane.isBusy = false;
      if (lane.waiting.length > 0) void runNext(key, lane);
      else if (lanes.get(key) === lane) lanes.delete(key);
    });
    await inTurn(key, async () => {
      const slow = setTimeout(free, slowAfter);
      await runGroup(takeGroup(lane));
      clearTimeout(slow);
    });
    free();
  };

  return (key: Key, item: Item): Promise<Result> => {
    const lane = lanes.get(key) ?? { waiting: [], isBusy: false };
    lanes.set(key, lane);
    const result = Promise.withResolvers<Result>();
    lane.waiting.push({ item, result });
    if (!lane.isBusy) void runNext(key, lane);
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
