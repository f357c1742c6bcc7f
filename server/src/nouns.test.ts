import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { auditEntities, endpoints, nouns, streams } from '@radwork/contract/all';
import { archive } from '@radwork/contract/imaging/archive';
import { expect, test } from 'vitest';
import { features } from './features.ts';
import { allSamples, samplesByFeature } from '#test/all-samples.ts';

const contract = resolve(import.meta.dirname, '../../contract/src');
const textOf = (folder: string, file: string) => readFileSync(resolve(folder, file), 'utf8');

/** Returns the values that occur more than once. */
const repeated = (values: readonly string[]) => values.filter((value, index) => values.indexOf(value) !== index);

test('contract/src/all.ts collects each file that declares a noun', () => {
  const declaring = globSync('**/*.ts', { cwd: contract }).filter((file) =>
    textOf(contract, file).includes('const noun ='),
  );
  const imported = [...textOf(contract, 'all.ts').matchAll(/import \{ noun as \w+ \} from '\.\/(.+)'/g)];

  expect(imported.map(([, file = '']) => file).toSorted()).toEqual(declaring.toSorted());
  expect(nouns).toHaveLength(declaring.length);
});

test('features.ts collects each feature under the name of its folder', () => {
  const folders = globSync('*/*/feature.ts', { cwd: import.meta.dirname }).map((file) => basename(dirname(file)));

  expect(features.map(({ name }) => name).toSorted()).toEqual(folders.toSorted());
});

test('each call declares how it is audited, and if this names an entity, a noun declares the entity', () => {
  const unknown = [...endpoints, ...streams, ...Object.values(archive)].flatMap(({ method, path, audited }) => {
    if (typeof audited === 'string' || 'because' in audited) return audited ? [] : [`${method} ${path}`];
    return auditEntities.includes(audited.entity) ? [] : [`${method} ${path}: ${audited.entity}`];
  });

  expect(unknown).toEqual([]);
});

test('each entity, each audit action and each call belongs to exactly one noun', () => {
  const actions = nouns.flatMap((noun) => Object.values(noun.actions ?? {}).flatMap((labels) => Object.keys(labels)));
  const calls = [...endpoints, ...streams].map(({ method, path }) => `${method} ${path}`);

  expect(repeated(auditEntities)).toEqual([]);
  expect(repeated(actions)).toEqual([]);
  expect(repeated(calls)).toEqual([]);
});

test('each feature has samples, and no sample is filled twice', () => {
  expect([...samplesByFeature.keys()].toSorted()).toEqual([...features.map(({ name }) => name), 'archive'].toSorted());
  expect(new Set(allSamples).size).toBe(samplesByFeature.size);
});

test('no product code imports samples', () => {
  const importing = globSync('**/*.ts', { cwd: import.meta.dirname })
    .filter((file) => !/\.(test|samples)\.ts$/.test(file))
    .filter((file) =>
      /from '.*(\.samples\.ts|all-samples\.ts|feature-samples\.ts)'/.test(textOf(import.meta.dirname, file)),
    );

  expect(importing).toEqual([]);
});
