-- The trial of a workspace outlives the accounts of its owners.
alter table billing_trial drop constraint billing_trial_pkey;
alter table billing_trial add column id uuid primary key default uuidv7();
alter table billing_trial alter column user_id drop not null;
alter table billing_trial add unique (workspace_id, user_id);
alter table billing_trial drop constraint billing_trial_user_id_fkey;
alter table billing_trial add foreign key (user_id) references "user" on delete set null;
