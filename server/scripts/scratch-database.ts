import { createDatabase, runSql, withDatabase } from '#test/setup.ts';

/** `create URL` creates an empty database on the server of URL and prints its URL. `drop URL` removes it. */
const [verb, url = ''] = process.argv.slice(2);
const name = 'radwork_scratch';
await runSql(url, `drop database if exists ${name} with (force)`);
if (verb === 'create') {
  await createDatabase(url, name);
  console.log(withDatabase(url, name));
}
