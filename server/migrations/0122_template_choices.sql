-- The template that a reader chose last for a kind of study. It is laid out first next time. The template may be a global
-- template of the product, which has no row.
create table template_choices (
  tenant_id int not null default current_tenant(),
  user_id uuid not null,
  exam_kind text not null check (length(exam_kind) between 1 and 300),
  template_id uuid not null,
  chosen_at timestamptz not null default now(),
  primary key (tenant_id, user_id, exam_kind),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
select confine('template_choices');
