-- Whether the assignment added the group to the study. Undoing the assignment then removes the group again.
alter table group_assignments add column adds_group boolean not null default false;

-- A saved view can belong to a group. owner_id is then the ID of the group.
alter table saved_views drop constraint saved_views_owner_kind_check;
alter table saved_views add constraint saved_views_owner_kind_check
  check (owner_kind in ('USER', 'GROUP', 'ORGANIZATION'));

-- Studies that must not close a row again, beside the dismissed candidates: a user opened the row again whose groups hide
-- these studies, and who therefore cannot write about them (follow_up_candidates).
alter table follow_ups add column kept_from uuid[] not null default '{}';
