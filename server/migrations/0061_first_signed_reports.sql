-- When a study's reports were signed, and which was the first, is told without reading the reports themselves.
create index reports_first_signed on reports (tenant_id, study_id, finalized_at, id) where status = 'FINALIZED';
