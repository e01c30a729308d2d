-- Refunds and disputes that began at the provider get rows too, each once.
alter table refund add column is_dispute boolean not null default false;
create unique index refund_provider_key on refund (payment_id, provider_refund_id) where provider_refund_id is not null;
