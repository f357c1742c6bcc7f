-- A preliminary report is a version of a draft whose text is frozen and marked (report_versions.action PRELIMINARY). The
-- organization decides whether referring physicians see it.
alter table tenants add column shows_preliminary boolean not null default false;
grant update (shows_preliminary) on tenants to radwork_app;

-- Important difference between the preliminary and the signed text, in the words of the signer.
alter table reports add column preliminary_change text not null default '' check (length(preliminary_change) <= 1000);

create index report_versions_preliminary on report_versions (tenant_id, report_id, version desc)
  where action = 'PRELIMINARY';
