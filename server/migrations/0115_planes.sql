-- The plane of an image, by its orientation. Null where the header does not tell, for oblique images, and for images that
-- an earlier version has stored, until their headers are read again.
alter table instances add column plane text check (plane in ('axial', 'sagittal', 'coronal'));

-- The tool on the left mouse button after the rule hung a study. Null: the usual one.
alter table hanging_rules add column tool text check (length(tool) <= 20);
