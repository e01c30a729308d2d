-- `marketplace.payout_min` counted for every currency, and is that of Turkish lira now. What was set stays for dollars too.
insert into option (key, value)
select 'marketplace.payout_min_usd', value from option where key = 'marketplace.payout_min'
on conflict (key) do nothing;
