import { byteOrderMark } from '@radwork/contract/core/csv';
import { studyExport } from '@radwork/contract/imaging/study-export';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { workSteps } from '#test/work-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { newStudy, audited } = workSteps(world);

const exported = async (person: Person, body: object) => {
  const reply = await world.app.inject({
    method: 'POST',
    url: studyExport.path,
    headers: { authorization: `Bearer ${person.token}` },
    payload: body,
  });
  return { status: reply.statusCode, type: reply.headers['content-type'], text: reply.body };
};

const columns = ['patientName', 'description', 'priority'];

test('exports the studies that a search finds, in its order, with the columns asked for, and audits it', async () => {
  const reader = await world.signIn();
  await newStudy(reader, 'PENDING', { description: 'b', priority: 'STAT' });
  await newStudy(reader, 'PENDING', { description: 'a' });
  await newStudy(reader, 'ARCHIVED', { description: 'c' });

  const { status, type, text } = await exported(reader, {
    search: { status: 'PENDING', sort: 'description,asc' },
    columns,
  });

  expect({ status, type }).toEqual({ status: 200, type: 'text/csv; charset=utf-8' });
  expect(text).toBe(
    `${byteOrderMark}"Patient Name","Description","Priority"\r\n"Doe, Jane","a","ROUTINE"\r\n"Doe, Jane","b","STAT"\r\n`,
  );
  expect(await audited(reader, 'study.exportList')).toMatchObject([
    { username: reader.username, detail: { studies: 2, columns: columns.join(' ') } },
  ]);
});

test('exports selected studies in their order, without those that the user may not see', async () => {
  const reader = await world.signIn();
  const stranger = await world.signIn();
  const [first, second] = [
    await newStudy(reader, 'PENDING', { description: 'first' }),
    await newStudy(reader, 'PENDING', { description: 'second' }),
  ];
  const hidden = await newStudy(stranger, 'PENDING', { description: 'hidden' });

  const { text } = await exported(reader, { studyIds: [second, hidden, newId(), first], columns: ['description'] });

  expect(text.split('\r\n')).toEqual([`${byteOrderMark}"Description"`, '"second"', '"first"', '']);
});

test('a formula in a text of a study does not run in a spreadsheet', async () => {
  const reader = await world.signIn();
  await newStudy(reader, 'PENDING', { description: '=HYPERLINK("https://example.org")' });

  const { text } = await exported(reader, { columns: ['description'] });

  expect(text).toContain(`"'=HYPERLINK(""https://example.org"")"`);
});

test.each([
  ['without columns', { columns: [] }, 'Choose at least one column'],
  ['with an invalid filter', { columns, search: { where: 'size.is:4' } }, 'The filter "size.is:4" is not valid'],
])('refuses an export %s', async (_, body, message) => {
  const reader = await world.signIn();

  const { status, text } = await exported(reader, body);

  expect(status).toBe(400);
  expect(text).toContain(JSON.stringify(message).slice(1, -1));
});

test('a referring physician may not export lists', async () => {
  const referrer = await world.signIn('REFERRING_PHYSICIAN');

  expect((await exported(referrer, { columns })).status).toBe(403);
});
