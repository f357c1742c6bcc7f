import type pg from 'pg';
import { withoutIndexes } from './without-indexes.ts';

/** A practice. Three studies of ten belong to `largeGroupId`, and one of a hundred to `smallGroupId`. */
export type Practice = {
  tenantId: number;
  studies: number;
  userIds: readonly string[];
  largeGroupId?: string;
  smallGroupId?: string;
};

/** Studies of each patient, as in a practice after some years. */
const studiesOfPatient = 4;

/** Years of studies until now. */
const years = 10;

/**
 * Fills tenants with the same patients, studies, assignments and reports each time. Some names are frequent and most
 * are rare. Studies cover ten years in the order of arrival; 1 % are open and the rest reported.
 */
export const generate = async (owner: pg.Client, practices: readonly Practice[]): Promise<void> => {
  await owner.query('select setseed(0.5)');
  await withoutIndexes(owner, ['studies', 'study_modalities', 'series', 'reports'], async () => {
    for (const practice of practices) await fill(owner, practice);
  });
  await owner.query('vacuum analyze');
};

const fill = async (owner: pg.Client, { tenantId, studies, userIds, largeGroupId, smallGroupId }: Practice) => {
  const patients = Math.ceil(studies / studiesOfPatient);
  await owner.query(insertPatients, [tenantId, patients, beginnings, endings, givenNames]);
  await owner.query(insertStudies, [
    tenantId,
    studies,
    patients,
    years,
    modalities,
    bodyParts,
    largeGroupId,
    smallGroupId,
  ]);
  await owner.query(insertModalities, [tenantId]);
  await owner.query(insertSeries, [tenantId, bodyParts]);
  await owner.query(insertAssignments, [tenantId, userIds]);
  await owner.query(insertReports, [tenantId, userIds]);
};

const words = (text: string) => text.split(' ');

/** Parts of family names, the frequent ones first. */
const beginnings = words(
  'Han Mar Son Lin Ber Sor Kov Pet Gar Lop Fer Ram Mor Ros Sil Cos Ham Yam Tan Nak Wan Zha Che Liu Sin Kum Pat Sha Ali Hus',
);
const endings = words(
  'sen tin ner man stein berg feld moto ov ova ski ska ez es ani ari ini ello etti ault eaux son sson wick ford',
);
const givenNames = words(
  'Anna Maria Wei Omar Fatima Johann Li Priya Elena Yusuf Chidi Amara Ingrid Sven Paolo Giulia Pierre Claire Juan Carmen Hiroshi Yuki Min-jun Ivan Olga Piotr Zofia Nkechi Kwame Aisha Karim Leila Noah Emma Lucas Mia Oscar Freya Mateo',
);
const bodyParts = words(
  'Head Neck Chest Abdomen Pelvis Spine Shoulder Elbow Wrist Hand Hip Knee Ankle Foot Heart Liver Kidney Prostate Breast Leg',
);
const modalities = words('CT CT CT CT CT DX DX DX DX CR CR MR MR MR US US MG XA PT RF');

/** One in two hundred patients has a unique family name. */
const insertPatients = `
  insert into patients (tenant_id, id, patient_id, patient_name, gender, date_of_birth)
  select $1::int, gen_random_uuid(), 'MRN' || lpad(p::text, 7, '0'),
         case when p % 200 = 0 then 'X' || translate(substr(md5(p::text), 1, 9), '0123456789', 'lmnoprstuv')
              else ($3::text[])[1 + floor(power(random(), 2) * cardinality($3))]
                || ($4::text[])[1 + floor(random() * cardinality($4))] end
           || '^' || ($5::text[])[1 + floor(power(random(), 2) * cardinality($5))],
         (array['F', 'M'])[1 + p % 2], date '1930-01-01' + (random() * 33000)::int
  from generate_series(1, $2::int) p`;

const insertStudies = `
  insert into studies (tenant_id, id, patient_id, study_instance_uid, study_date, accession_number, study_description,
                       modality, modalities, status, priority, referring_physician_name, series_count, instance_count,
                       patient_name, patient_identifier, patient_gender, patient_date_of_birth,
                       equipment_manufacturer, equipment_model, equipment_name, created_at, updated_at, group_ids)
  select $1::int,
         -- As ids are made (server/src/core/values/ids.ts): those of later arrivals are greater.
         (lpad(to_hex((extract(epoch from arrived) * 1000)::bigint), 12, '0') || '7' || substr(md5(n || ' ' || $1), 1, 3) || '8' || substr(md5(n || ' ' || $1), 4, 15))::uuid,
         p.id, '1.2.826.0.1.3680043.10.' || $1 || '.' || n, arrived::timestamp - random() * interval '2 hours',
         'A' || lpad(n::text, 8, '0'), modality || ' ' || ($6::text[])[1 + floor(random() * cardinality($6))] || contrast,
         modality, case when n % 4 = 0 then array[modality, 'SR'] else array[modality] end,
         case when age < interval '20 days' and chance < 0.35 then 'PENDING'
              when age < interval '20 days' and chance < 0.6 then 'ASSIGNED'
              when age < interval '20 days' and chance < 0.75 then 'IN_PROGRESS'
              when chance < 0.02 then 'CANCELLED'
              when age < interval '700 days' then 'COMPLETED'
              else 'ARCHIVED' end,
         case when n % 50 = 0 then 'STAT' when n % 11 = 0 then 'URGENT' else 'ROUTINE' end,
         'Dr^' || substr(md5((n % 300)::text), 1, 8), 1 + floor(power(random(), 3) * 12), 100,
         p.patient_name, p.patient_id, p.gender, p.date_of_birth, 'Siemens', 'SOMATOM',
         modality || ' ' || n % 5, arrived, arrived,
         array_remove(array[case when n % 10 < 3 then $7::uuid when n % 100 = 55 then $8::uuid end], null)
  from generate_series(1, $2::int) n
  join (select row_number() over () as number, * from patients where tenant_id = $1) p
    on p.number = 1 + abs(hashint4(n)::bigint) % $3::int,
       lateral (select now() - (1 - n::float8 / $2) * $4::int * interval '365 days' as arrived) time,
       lateral (select now() - arrived as age, random() as chance,
                       ($5::text[])[1 + floor(power(random(), 1.5) * cardinality($5))] as modality,
                       case when n % 3 = 0 then ' with contrast' else '' end as contrast) drawn
  order by n`;

/** Inserts the rows that the disabled trigger would insert (migrations/0015_worklist.sql). */
const insertModalities = `
  insert into study_modalities (tenant_id, modality, study_date, study_id, status, is_main, series_count)
  select tenant_id, m, study_date, id, status, m = modality, case when m = modality then series_count end
  from studies, unnest(modalities) m where tenant_id = $1 order by id`;

/** One series for each study, with one of twenty body parts. */
const insertSeries = `
  insert into series (tenant_id, id, study_id, series_instance_uid, modality, body_part_examined, instance_count)
  select tenant_id, gen_random_uuid(), id, study_instance_uid || '.1', modality,
         upper(($2::text[])[1 + (hashtext(id::text) & 65535) % cardinality($2)]), 1
  from studies where tenant_id = $1 order by id`;

/** One in five is overdue. */
const insertAssignments = `
  insert into study_assignments (tenant_id, id, study_id, user_id, assigned_by, assigned_at, due_at)
  select tenant_id, gen_random_uuid(), id, users[1 + (hashtext(id::text) & 65535) % cardinality(users)], users[1], created_at,
         now() + (random() * 5 - 1) * interval '1 day'
  from studies, (select $2::uuid[] as users) team
  where tenant_id = $1 and status in ('ASSIGNED', 'IN_PROGRESS')`;

/** Completed studies have a signed report. Studies in progress have an unsigned report. */
const insertReports = `
  insert into reports (tenant_id, id, study_id, author_id, status, content, has_critical_findings,
                       critical_findings_details, reviewer_id, finalized_at, finalized_by, content_hash, created_at)
  select tenant_id, gen_random_uuid(), id, author, report_status, content, is_critical,
         case when is_critical then 'Pneumothorax' else '' end,
         case when report_status = 'PENDING_REVIEW' then users[1 + (chosen >> 4) % cardinality(users)] end,
         case when report_status = 'FINALIZED' then created_at + interval '3 hours' end,
         case when report_status = 'FINALIZED' then author end,
         case when report_status = 'FINALIZED' then sha256(content::bytea) end,
         created_at + interval '2 hours'
  from studies, (select $2::uuid[] as users) team,
       lateral (select hashtext(id::text) & 65535 as chosen) drawn,
       lateral (select users[1 + chosen % cardinality(users)] as author, chosen % 50 = 0 as is_critical,
                       '<h2>Findings</h2><p>' || repeat('No focal lesion. ', 20) || '</p>' as content,
                       case when status in ('COMPLETED', 'ARCHIVED') then 'FINALIZED'
                            else (array['DRAFT', 'PENDING_REVIEW', 'REVISION_REQUIRED'])[1 + chosen % 3] end as report_status) written
  where tenant_id = $1 and status in ('IN_PROGRESS', 'COMPLETED', 'ARCHIVED')
  order by studies.created_at`;
