import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { expect, test } from 'vitest';
import { withoutJsonSchema, withoutJsonSchemas } from '../build/without-json-schema.ts';

const schemas = fileURLToPath(import.meta.resolve('zod')).replace(/index\.\w+$/, 'v4/classic/schemas.js');

type Built = {
  default: { safeParse: (value: unknown) => unknown; '~standard': { validate: (value: unknown) => unknown } };
};

/** Returns the code of a schema that a build with the plugin made. */
const builtSchema = async (): Promise<string> => {
  const source = `import { z } from 'zod';
    export default z.object({ page: z.int().min(0), day: z.iso.date().optional(), size: z.enum(['10', '20']) });`;
  const entry = '\0schema';
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    root: import.meta.dirname,
    build: { write: false, minify: false, rolldownOptions: { input: entry, preserveEntrySignatures: 'strict' } },
    plugins: [
      withoutJsonSchema(),
      {
        name: 'schema',
        resolveId: (id, importer) =>
          id === entry ? id : importer === entry ? fileURLToPath(import.meta.resolve(id)) : null,
        load: (id) => (id === entry ? source : null),
      },
    ],
  });
  if (!('output' in result)) throw new Error('The build has no output');
  return result.output[0].code;
};

test('the build leaves out the conversion to JSON Schema, and schemas still check values', async () => {
  const code = await builtSchema();

  expect(code).not.toMatch(/processJSONSchema|JSONSchemaMethod|draft-2020-12/);
  const { default: schema }: Built = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  expect(schema.safeParse({ page: 2, size: '20', day: '2026-11-30' })).toMatchObject({ success: true });
  expect(schema.safeParse({ page: -1, size: '30', day: 'today' })).toMatchObject({
    success: false,
    error: { issues: [{ path: ['page'] }, { path: ['day'] }, { path: ['size'] }] },
  });
  expect(schema['~standard'].validate({ page: 2, size: '10' })).toEqual({ value: { page: 2, size: '10' } });
});

test('the build stops when the schemas refer to JSON Schema in another way', async () => {
  const code = await readFile(schemas, 'utf8');

  expect(() => withoutJsonSchemas(code.replaceAll('processJSONSchema', 'toJson'))).toThrow('zod has changed');
});
