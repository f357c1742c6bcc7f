-- Whether the assignment added the group to the study. Undoing the assignment then removes the group again.
alter table group_assignments add column adds_group boolean not null default false;
