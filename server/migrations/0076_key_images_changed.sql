-- When somebody last changed a key image, or took it away or brought it back: what is made of all of them is of that time.
alter table key_images add column changed_at timestamptz not null default clock_timestamp();
