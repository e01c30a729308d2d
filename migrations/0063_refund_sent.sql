-- The last call to the provider that may have made the refund. Null: there is none.
alter table refund add column sent_at timestamptz;
