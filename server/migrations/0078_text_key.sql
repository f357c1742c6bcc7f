-- What somebody writes and the server does not have yet is kept by their browser, under this key of theirs, which it is
-- given with a session: nobody reads it there while they are not signed in (ASVS 5.0 14.3.3). Sealed by the vault.
alter table users add column sealed_text_key text;
