-- Values of enums. They can be used once the transaction that adds them has committed, so their tables come next.
-- escrow: paid for an order that is not closed. refunds_payable: to be returned to the buyer of an order.
alter type ledger_account_kind add value 'escrow';
alter type ledger_account_kind add value 'refunds_payable';
-- seller_pending: earned, and not cleared. seller_available: can be paid out. seller_debt: taken off later earnings.
alter type ledger_account_kind add value 'seller_pending';
alter type ledger_account_kind add value 'seller_available';
alter type ledger_account_kind add value 'seller_debt';
alter type ledger_account_kind add value 'platform_fee';
-- payout_clearing: requested, and not transferred. bank: transferred to sellers.
alter type ledger_account_kind add value 'payout_clearing';
alter type ledger_account_kind add value 'bank';
