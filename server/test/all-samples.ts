import { globSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { orNotFound } from '#core/http/problem.ts';
import type { FeatureSamples } from './feature-samples.ts';

const source = resolve(import.meta.dirname, '../src');
const files = globSync('**/feature.samples.ts', { cwd: source }).toSorted();

const samplesIn = async (file: string): Promise<[string, FeatureSamples]> => {
  const { samples }: { samples: FeatureSamples } = await import(/* @vite-ignore */ resolve(source, file));
  return [basename(dirname(file)), samples];
};

/** The samples of each feature, by its folder. */
export const samplesByFeature: ReadonlyMap<string, FeatureSamples> = new Map(await Promise.all(files.map(samplesIn)));

/** Orders features so that each one follows the features that it names in `after`. */
const inOrder = (): FeatureSamples[] => {
  const ordered = new Set<string>();
  const add = (name: string, path: readonly string[]) => {
    if (path.includes(name)) throw new Error(`Samples are filled in a circle: ${[...path, name].join(', ')}`);
    if (ordered.has(name)) return;
    const { after = [] } = orNotFound(samplesByFeature.get(name), {
      code: 'samples',
      message: `Samples of ${name} not found`,
    });
    for (const other of after) add(other, [...path, name]);
    ordered.add(name);
  };
  for (const name of samplesByFeature.keys()) add(name, []);
  return Array.from(ordered, (name) =>
    orNotFound(samplesByFeature.get(name), { code: 'samples', message: `Samples of ${name} not found` }),
  );
};

/** The samples of each feature, in the order in which they can be filled. */
export const allSamples: readonly FeatureSamples[] = inOrder();

/** Merges what the features declare under the same key. Throws when two features disagree. */
export const joined = <T>(part: (samples: FeatureSamples) => Readonly<Record<string, T>> | undefined) => {
  const all = new Map<string, T>();
  for (const [key, value] of allSamples.flatMap((samples) => Object.entries(part(samples) ?? {}))) {
    if (all.has(key) && all.get(key) !== value) throw new Error(`Two features say different things of ${key}`);
    all.set(key, value);
  }
  return all;
};
