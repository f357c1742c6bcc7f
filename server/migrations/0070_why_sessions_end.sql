-- Why a session is none any longer, told only to whoever holds its token: somebody who is let in no more reads the reason
-- on the page that is still open. Null for a token that never was one, or whose session is forgotten.
create function why_session_ended(asked_token_hash bytea) returns text
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select case when t.suspended_at is not null then 'session.tenant_suspended'
              when not u.is_active then 'session.user_inactive'
              when s.revoked_at is not null then 'session.revoked'
              else 'session.expired' end
  from sessions s
  join users u on u.tenant_id = s.tenant_id and u.id = s.user_id
  join tenants t on t.id = s.tenant_id
  where s.token_hash = asked_token_hash
$$;
revoke execute on function why_session_ended from public;
grant execute on function why_session_ended to radwork_app;
