import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { reportSteps } from '#test/report-steps.ts';
import { createWorld } from '#test/world.ts';
import { matches, newestHits, rankedHits } from './hit-rows.ts';

const world = await createWorld();
const author = await world.signIn();
const { begin } = reportSteps(world);
const { study } = await begin(author, '<p>The first report of the study without any finding.</p>');
await sql`
  insert into reports (tenant_id, id, study_id, author_id, content, status, finalized_at, content_hash, created_at)
  select ${author.tenant.id}, gen_random_uuid(), ${study.id}, ${author.userId}, '<p>x</p>', 'FINALIZED', now(), '\\x00',
         now() - n * interval '1 minute'
  from generate_series(1, 12000) n`.execute(world.owner);
await sql`
  insert into report_texts (tenant_id, report_id, part, language, document)
  select tenant_id, id, 0, 'en', to_tsvector('radwork_english', 'The lungs are clear without effusion number ' || row_number() over ())
  from reports where content = '<p>x</p>'`.execute(world.owner);
await sql`vacuum analyze report_texts, reports`.execute(world.owner);

const planOf = (query: (scope: Parameters<typeof rankedHits>[0]) => ReturnType<typeof sql>) =>
  author.inScope(async (scope) => {
    const { rows } = await sql<Record<'QUERY PLAN', string>>`explain ${query(scope)}`.execute(scope.db);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });

test('a search in report texts uses the index of the texts under row-level security', async () => {
  const counted = await planOf(() => sql`select from report_text_search t where ${matches('"number 4711"')}`);
  const ranked = await planOf((scope) => rankedHits(scope, { text: 'number 4711' }, { offset: 0, limit: 10 }));

  expect(counted).toContain('Bitmap Index Scan on report_texts_document');
  expect(ranked).toContain('Bitmap Index Scan on report_texts_document');
});

test('a search with many matches reads reports from the newest on, and stops when the page is full', async () => {
  const plan = await planOf((scope) => newestHits(scope, { text: 'lungs' }, { offset: 0, limit: 10 }));

  expect(plan).toMatch(/Index (?:Only )?Scan using reports_created/);
});
