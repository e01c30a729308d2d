-- Values of an enum. They can be used once the transaction that adds them has committed, so their tables come next.
-- provider_balance: money that a payment provider reports as its balance. provider_fees: what it charges.
alter type ledger_account_kind add value 'provider_balance';
alter type ledger_account_kind add value 'provider_fees';
-- currency_conversion: between the currency of a payment and that of the balance. suspense: reported, and of an unknown kind.
alter type ledger_account_kind add value 'currency_conversion';
alter type ledger_account_kind add value 'suspense';
-- provider_differences: gains and losses that an instance admin booked to close a difference.
alter type ledger_account_kind add value 'provider_differences';
