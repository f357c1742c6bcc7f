-- Layouts of three rows, and of the four views of a mammogram with those of its prior.
alter table kept_layouts drop constraint kept_layouts_layout_check;
alter table kept_layouts add constraint kept_layouts_layout_check
  check (layout in ('1x1', '1x2', '2x1', '1x3', '3x1', '2x2', '2x3', '3x2', '2x4', '4x2', '3x3'));
