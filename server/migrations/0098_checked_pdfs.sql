-- Why a stored file is not sent; empty when it was checked. Null for PDFs stored before files were checked for scripts:
-- their next download checks them.
alter table stored_files add column refusal text default '';
update stored_files set refusal = null where content_type = 'application/pdf';
