-- Which transaction has told of a notice. Whoever clears their inbox has seen what had been committed when it was shown;
-- by its time alone a notice that was written earlier, and committed afterwards, would count as seen.
alter table notifications add column written_by xid8 not null default pg_current_xact_id();
