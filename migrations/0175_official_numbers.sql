-- Finds the invoice with an official number. Not unique, because former versions stored a number for several invoices.
create index invoice_official_number on invoice (official_number) where official_number is not null;
