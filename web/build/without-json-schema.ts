import type { Plugin } from 'vite';

const file = /[\\/]node_modules[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/;

/** Places in `file` (zod 4.6.7) that need the code for JSON Schema. */
const places: readonly RegExp[] = [
  /^import \{ createStandardJSONSchemaMethod, createToJSONSchemaMethod \} from .*$/m,
  /^ {12}jsonSchema: \{[^}]*\},$/m,
  /^ {4}toJSONSchema\(params\) \{\n.*\n {4}\},$/m,
  /^ +inst\._zod\.processJSONSchema = \(ctx, json, params\) => processors\.\w+\(inst, ctx, json, params\);$/gm,
];

/** Returns the code of the schemas without their conversion to JSON Schema. Throws if zod has changed a place. */
export const withoutJsonSchemas = (code: string): string => {
  let rest = code;
  for (const place of places) {
    const next = rest.replace(place, '');
    if (next === rest) throw new Error(`zod has changed: see ${place.source} (web/build/without-json-schema.ts)`);
    rest = next;
  }
  return rest;
};

/**
 * Removes the conversion of schemas to JSON Schema, because only the server describes its interface (OpenAPI). Each
 * schema refers to it by a method, so the bundler cannot see that no screen calls it.
 */
export const withoutJsonSchema = (): Plugin => ({
  name: 'without-json-schema',
  apply: 'build',
  enforce: 'pre',
  transform: (code, id) => (file.test(id) ? withoutJsonSchemas(code) : null),
});
