-- The administrator who last chose the rights that groups of the provider give. Who gains the right to sign by that choice is
-- held, as if that person had given it by hand. Null where nobody chose since this migration: such rights put no hold.
alter table single_sign_on
  add column rights_set_by uuid,
  add column rights_set_by_name text not null default '',
  add column rights_set_at timestamptz;

-- A type for notices about identity questions.
alter table notifications drop constraint notifications_type_check;
alter table notifications add constraint notifications_type_check check (
  type in ('ASSIGNMENT', 'STUDY_STATUS', 'REVIEW_REQUEST', 'REVIEW_RESULT', 'CRITICAL_FINDING', 'MENTION', 'IMPORT', 'OVERDUE',
    'ACCOUNT', 'IDENTITY'));
alter table unwanted_notifications drop constraint unwanted_notifications_type_check;
alter table unwanted_notifications add constraint unwanted_notifications_type_check check (
  type in ('ASSIGNMENT', 'STUDY_STATUS', 'REVIEW_REQUEST', 'REVIEW_RESULT', 'MENTION', 'IMPORT', 'OVERDUE', 'IDENTITY'));
