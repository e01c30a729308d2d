alter table subscription
  add column if not exists is_canceled_with_workspace boolean not null default false,
  add column if not exists failed_payment_url text,
  add column if not exists sync_count integer not null default 0,
  add column if not exists timer_at timestamptz;
update subscription set timer_at = updated_at where timer_at is null;
alter table subscription alter column timer_at set not null;

create index if not exists checkout_of_subscription on checkout (subscription_id) where subscription_id is not null;
create index if not exists payment_of_checkout on payment (checkout_id) where checkout_id is not null;

alter table invoice
  add column if not exists number text not null generated always as
    (prefix || '-' || year || '-' || lpad(sequence::text, greatest(6, length(sequence::text)), '0')) stored,
  add column if not exists timezone text,
  add column if not exists ettn uuid,
  add column if not exists official_number text;
update invoice set timezone = coalesce((select timezone from workspace where id = workspace_id), 'UTC')
  where timezone is null;
alter table invoice alter column timezone set not null;
do $$
begin
  if not exists (select from pg_constraint where conrelid = 'invoice'::regclass and conname = 'invoice_language_check') then
    update invoice set language = 'en' where language not in ('en', 'tr');
    alter table invoice add check (language in ('en', 'tr'));
  end if;
end $$;
create index if not exists invoice_of_subscription on invoice (subscription_id) where subscription_id is not null;
create index if not exists invoice_of_checkout on invoice (checkout_id) where checkout_id is not null;
create index if not exists invoice_corrects on invoice (corrects) where corrects is not null;
create index if not exists invoice_issued on invoice (issued_at);
create index if not exists invoice_number on invoice (number text_pattern_ops);
