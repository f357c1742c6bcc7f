-- A text that was written about one patient must not be signed for another without anybody having looked at it.
alter table reports
  -- When the study was last filed under another patient, while the report was there and not yet signed.
  add column refiled_at timestamptz;
