-- A SeriesNumber that does not fit an integer, without a plus sign and leading zeros, so that a search finds it.
alter table series add column long_series_number text not null default '';
