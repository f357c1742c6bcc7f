-- A study that is registered before its images takes the moment for its date where nobody typed one, and kept it when they came: an
-- examination of Friday stood under the Monday on which it was ordered, in lists, among priors and on its signed report.
alter table studies add column is_date_presumed boolean not null default false;
