-- Values of enums. They can be used once the transaction that adds them has committed.
alter type checkout_purpose add value 'order';
alter type payment_use add value 'order';
