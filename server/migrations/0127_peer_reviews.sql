-- Reviews of signed reports by colleagues.
create table peer_reviews (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  report_id uuid not null,
  reviewer_id uuid not null,
  origin text not null check (origin in ('RANDOM', 'CHOSEN')),
  state text not null default 'OPEN' check (state in ('OPEN', 'SCORED')),
  grade int check (grade between 1 and 4),
  -- The wording of the grade when it was given.
  grade_label text not null default '' check (length(grade_label) <= 200),
  is_significant boolean not null default false,
  comment text not null default '' check (length(comment) <= 4000),
  scored_at timestamptz,
  reply text not null default '' check (length(reply) <= 4000),
  replied_at timestamptz,
  -- Reviewers who have passed the review on.
  passed_by uuid[] not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  unique (tenant_id, report_id, reviewer_id),
  foreign key (tenant_id, report_id) references reports (tenant_id, id) on delete cascade,
  foreign key (tenant_id, reviewer_id) references users (tenant_id, id),
  check ((state = 'SCORED') = (grade is not null and scored_at is not null))
);
create unique index peer_reviews_random on peer_reviews (tenant_id, report_id) where origin = 'RANDOM';
create index peer_reviews_reviewer on peer_reviews (tenant_id, reviewer_id, state);
select confine('peer_reviews');
select limit_by('peer_reviews', 'reports', 'report_id');
revoke delete on peer_reviews from radwork_app;

-- Refuses reviewers who wrote, approved or signed the report. The service chooses reviewers by the same rule.
create function refuse_own_peer_review() returns trigger language plpgsql as $$
begin
  if exists (
    select from reports r where r.tenant_id = new.tenant_id and r.id = new.report_id
      and new.reviewer_id in (r.author_id, r.reviewer_id, r.finalized_by)
  ) or exists (
    select from report_addenda a where a.tenant_id = new.tenant_id and a.report_id = new.report_id
      and a.finalized_at is not null and a.author_id = new.reviewer_id
  ) then
    raise exception 'A user cannot review an own report' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger not_own before insert or update of reviewer_id on peer_reviews
  for each row execute function refuse_own_peer_review();

create table peer_review_settings (
  tenant_id int primary key default current_tenant() references tenants (id),
  percent int not null default 0 check (percent between 0 and 100),
  hides_author boolean not null default true,
  hides_reviewer boolean not null default true,
  -- The wording of the four grades. Null: the default wording in the language of the caller.
  grades text[] check (cardinality(grades) = 4)
);
select confine('peer_review_settings');

-- Organizations that choose reports at random, and those with open reviews, whose reviewers may have become inactive.
create function tenants_with_peer_reviews_to_do() returns setof int
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select t.id from tenants t
  where t.suspended_at is null and (
    exists (select from peer_review_settings p where p.tenant_id = t.id and p.percent > 0)
    or exists (select from peer_reviews p where p.tenant_id = t.id and p.state = 'OPEN'))
$$;
revoke execute on function tenants_with_peer_reviews_to_do from public;
grant execute on function tenants_with_peer_reviews_to_do to radwork_app;
