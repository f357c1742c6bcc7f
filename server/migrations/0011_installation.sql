-- Which installation a database is of, so that no server works on it with another one's store or secret; and functions
-- with their owner's rights that nobody's temporary tables can deceive.

-- One row, made at the first start. Nobody who serves reads or writes it.
create table installation (
  is_only boolean primary key default true check (is_only),
  id uuid not null default gen_random_uuid(),
  -- Made from SECRET_KEY, which it does not tell; null until the first start, and to let in another one.
  secret_fingerprint text,
  created_at timestamptz not null default now()
);
alter table installation enable row level security;

-- Temporary tables are looked for first unless the path says where they come.
do $$
declare
  definer regprocedure;
begin
  for definer in select oid from pg_proc where prosecdef and pronamespace = 'public'::regnamespace loop
    execute format('alter function %s set search_path = pg_catalog, public, pg_temp', definer);
  end loop;
end $$;
