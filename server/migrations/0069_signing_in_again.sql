-- Who signs a report has shown lately who they are (C43): whoever has no password here shows it at their provider.

-- Begun by somebody who is signed in, to show who they are once more; what comes of it begins no session.
alter table sso_attempts add column is_again boolean not null default false;
-- When they showed it to the provider (auth_time), where it says so: a provider may let in who did that hours ago.
alter table sso_attempts add column authenticated_at timestamptz;
