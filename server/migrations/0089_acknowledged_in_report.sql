-- How a critical finding was acknowledged. A referring physician may do so in the signed report, without being told first.
alter table critical_findings
  -- READ_BACK: the recipient outside repeated it. TOLD: a user who had been told confirmed it. REPORT: pressed in the report.
  add column acknowledged_how text check (acknowledged_how in ('READ_BACK', 'TOLD', 'REPORT'));
update critical_findings set acknowledged_how = case when acknowledged_by is null then 'READ_BACK' else 'TOLD' end
  where acknowledged_at is not null;
alter table critical_findings add check ((acknowledged_how is null) = (acknowledged_at is null));
grant update (acknowledged_how) on critical_findings to radwork_app;

alter table critical_restarts
  add column acknowledged_how text check (acknowledged_how in ('READ_BACK', 'TOLD', 'REPORT'));
-- The serving role may not change former clocks; this fills the new column once.
update critical_restarts set acknowledged_how = case when acknowledged_by is null then 'READ_BACK' else 'TOLD' end
  where acknowledged_at is not null;
alter table critical_restarts add check ((acknowledged_how is null) = (acknowledged_at is null));
