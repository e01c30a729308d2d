alter table payout_account add column version integer not null default 1;
create trigger payout_account_version before update of updated_at on payout_account
  for each row execute function next_version();
