-- The pricing page lists what a plan includes by itself, in the language of the reader. Plans that were changed stay.
update plan set features = '{}' where code = 'pro' and features = '{AI agents,Approvals,Audit log}';
update plan set features = '{}' where code = 'team' and features = '{Everything in Pro,Selling on the marketplace}';
