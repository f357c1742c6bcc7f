import { createDatabase, runSql, withDatabase } from '#test/setup.ts';

/** `create URL` makes an empty database beside the one in URL and prints its address; `drop URL` removes it. */
const [verb, url = ''] = process.argv.slice(2);
const name = 'radwork_scratch';
await runSql(url, `drop database if exists ${name} with (force)`);
if (verb === 'create') {
  await createDatabase(url, name);
  console.log(withDatabase(url, name));
}
