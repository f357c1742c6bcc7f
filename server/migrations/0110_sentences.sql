-- Title and message of a notification as sentences with their values, which are translated when the notification is read.
-- The columns title and message keep the English text. Earlier notifications have only these.
alter table notifications add column sentences jsonb;

-- The reason why a stored file is not sent, in the same form. The column refusal keeps the English text.
alter table stored_files add column refusal_sentence jsonb;
