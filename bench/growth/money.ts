import type { Dataset, Statement } from './dataset.ts'

/** A month with as many invoices and movements in each workspace, whatever its size: what is exported stays the same. */
export const EXPORTED = { month: '2020-01', from: '2020-01-01T00:00:00Z', to: '2020-02-01T00:00:00Z', records: 100 }

/** Handle of the seller who has all gigs. */
export const HANDLE = 'bench'

/** The statements that write subscriptions, invoices and the ledger. */
const billingStatements = (
  { workspace_id, invoice, ledger_account, domain }: Dataset,
  user_id: string,
  posts: number,
): Record<string, Statement> => ({
  subscriptions: [
    `insert into subscription (workspace_id, plan_code, status, anchor, current_period_start, current_period_end,
      billing_currency, billing_period, amount, provider, timer_at, past_due_deadline, ended_at)
    select id, 'pro', status, now(), now(), now() + interval '1 month', 'TRY', 'monthly', 49900, 'manual', now(),
      case when status = 'past_due' then now() + interval '7 days' end, case when status = 'expired' then now() end
    from (
      select id, (array['active', 'active', 'active', 'past_due', 'expired'])[1 + row_number() over () % 5]::subscription_status as status
      from workspace where slug like '%-of-' || $1) as made`,
    [domain],
  ],
  'payment requests': [
    `with made as (
      insert into checkout (id, workspace_id, created_by, purpose, subscription_id, plan_code, billing_period, currency, amount,
        period_amount, provider, kind, status, expires_at)
      select uuidv7(make_interval(mins => -n)), workspace_id, $2, 'renewal', subscription.id, 'pro', 'monthly', 'TRY', 49900,
        49900, 'manual', 'payment_request', 'expired', now()
      from subscription join workspace on workspace.id = workspace_id, generate_series(1, 10) as n where slug like '%-of-' || $1
      returning id, workspace_id, plan_code, amount, currency)
    insert into payment_request (checkout_id, workspace_id, plan_code, amount, currency, status)
    select id, workspace_id, plan_code, amount, currency,
      (array['approved', 'rejected', 'expired', 'approved', 'pending'])[1 + row_number() over () % 5]::payment_request_status
    from made`,
    [domain, user_id],
  ],
  invoices: [
    `insert into invoice (id, workspace_id, kind, corrects, prefix, year, sequence, status, currency, total, vat_percent,
      vat_amount, seller, buyer, lines, language, timezone, issued_at, paid_at)
    select case when n = 1 then $2::uuid else uuidv7(issued - now()) end, $1::uuid,
      case when n % 10 = 2 then 'credit_note' else 'invoice' end::invoice_kind, case when n % 10 = 2 then $2::uuid end,
      upper(right($1::uuid::text, 8)), 2026, n, case when n % 10 = 3 then 'open' else 'paid' end::invoice_status, 'TRY',
      case when n % 10 = 2 then -10 else 49900 end, 20, case when n % 10 = 2 then -2 else 8317 end, '{"name": "Meydan", "address": null, "tax_office": null, "tax_id": null}',
      '{"name": "Acme"}', '[{"description": "Pro", "plan_name": "Pro", "amount": 49900, "vat_amount": 8317}]', 'en', 'UTC', issued,
      issued
    from generate_series(1, $5::int / 10) as n, lateral (select case when n <= $4 then $3::timestamptz + make_interval(hours => n)
      else now() - make_interval(mins => n) end) as at (issued)`,
    [workspace_id, invoice, EXPORTED.from, EXPORTED.records, posts],
  ],
  'ledger accounts': [
    `insert into ledger_account (id, kind, owner, currency)
    select uuidv7(), 'escrow'::ledger_account_kind, n || ' of ' || $1, 'TRY'::currency from generate_series(1, $2::int / 10) as n
    union all select $3::uuid, 'seller_pending', $4::uuid || ':' || $5::uuid, 'TRY'`,
    [domain, posts, ledger_account, user_id, workspace_id],
  ],
  'ledger transactions': [
    `with ledger as (
      select id from ledger_account where kind = 'escrow' and owner = '1 of ' || $2
    ), moved as (
      insert into ledger_transaction (id, idempotency_key, input_hash, kind, reference, occurred_at, created_at)
      select uuidv7(occurred - now()), $2 || ' ' || n, '', 'order_closed', uuidv7(), occurred, occurred
      from generate_series(1, $5::int / 10) as n, lateral (select case when n <= $4 then $3::timestamptz + make_interval(hours => n)
        else now() - make_interval(mins => $5::int / 10 - n) end) as at (occurred)
      returning id
    ), numbered as (select id, row_number() over (order by id) as n from moved)
    insert into ledger_entry (transaction_id, account_id, amount, balance_after)
    select numbered.id, $1, 1, n from numbered union all select numbered.id, ledger.id, -1, -n from numbered, ledger`,
    [ledger_account, domain, EXPORTED.from, EXPORTED.records, posts],
  ],
  balances: [
    `update ledger_account set balance = case when id = $1 then 1 else -1 end * ($3::int / 10)
    where id = $1 or kind = 'escrow' and owner = '1 of ' || $2`,
    [ledger_account, domain, posts],
  ],
  // Payouts are few among payments, as with a provider. A payment has a day to arrive before it is a difference.
  settlements: [
    `insert into settlement_line (id, provider, reference, kind, type, provider_payment_id, currency, amount, fee, paid_amount,
      paid_currency, occurred_at, created_at)
    select uuidv7(age), 'stripe', n || ' of ' || $1, kind, kind, case when kind = 'payment' then 'pi ' || n || ' of ' || $1 end,
      'TRY', amount, case when kind = 'payment' then 300 else 0 end, amount, 'TRY', now() + age, now() + age
    from generate_series(1, $2::int / 10) as n, make_interval(days => -2, mins => -n) as age,
      lateral (select (case when n % 50 = 1 then 'payout' else 'payment' end)::settlement_kind as kind) as kinds,
      lateral (select case when kind = 'payout' then -1000 else 10000 end as amount) as amounts`,
    [domain, posts],
  ],
  remedies: [
    `insert into settlement_remedy (id, provider, code, subject, currency, amount, note, created_by, created_at)
    select uuidv7(age), 'stripe', 'settlement_unknown', 'pi ' || n || ' of ' || $1, 'TRY', -10000, 'Another product', $2, now() + age
    from generate_series(1, $3::int / 20) as n, make_interval(days => -2, mins => -n) as age`,
    [domain, user_id, posts],
  ],
})

/** The statements that write gigs, orders, and what follows from them. */
const marketplaceStatements = (
  { workspace_id, gig, order, batch, domain }: Dataset,
  user_id: string,
  posts: number,
): Record<string, Statement> => ({
  signature: [
    `insert into signature (user_id, handle, text) values ($1, $2, 'Hello') on conflict do nothing`,
    [user_id, HANDLE],
  ],
  // A workspace can have only some, so that most are in other workspaces of the owner.
  gigs: [
    `with owned as (
      select array_agg(workspace_id) as ids from workspace_member join workspace on id = workspace_id
      where user_id = $2 and slug like '%-of-' || $3 and deleted_at is null)
    insert into gig (id, workspace_id, owner_id, slug, title, description, price, currency, delivery_days, categories, status,
      published_at, taken_down_at, take_down_reason, rating_count, rating_sum)
    select uuidv7(age), case when n < 500 and n < $5::int then $1 else owned.ids[1 + n % cardinality(owned.ids)] end, $2,
      'gig-' || n || '-of-' || $3, 'Sosyal medya gönderileri ' || n || case when n % 1000 = 7 then ' trüf' else '' end,
      'Markanızın sesine uygun metinler ve görseller hazırlıyorum.', 50000 + n % 100, 'TRY', 3,
      array[case when n % 1000 = 7 then 'rare' else 'social-media' end], 'published', now() + age,
      case when n % 100 = 8 then now() end, case when n % 100 = 8 then 'Spam' end, n % 40, n % 40 * 4
    from owned, generate_series(1, $4::int / 10) as n, make_interval(mins => -n) as age`,
    [workspace_id, user_id, domain, posts, Math.max(20, posts / 100)],
  ],
  'reports of gigs': [
    `insert into gig_report (id, gig_id, reporter_id, reason, status)
    select uuidv7(), id, $1, 'spam', (array['dismissed', 'upheld', 'open'])[1 + row_number() over () % 3]::gig_report_status
    from gig where slug like 'gig-%-of-' || $2`,
    [user_id, domain],
  ],
  orders: [
    `insert into gig_order (id, gig_id, seller_id, seller_workspace_id, seller_account, buyer_id, buyer_workspace_id, title,
      price, currency, delivery_days, fee_bps, platform_fee, seller_payout, revisions_allowed, status, paid_at, completed_at,
      refund_status, refund_amount, created_at, updated_at)
    select uuidv7(age), case when n % 10 = 0 then $3::uuid end, case when n % 2 = 0 then $2::uuid end,
      case when n % 2 = 0 then $1::uuid end, '', case when n % 2 = 1 then $2::uuid end, case when n % 2 = 1 then $1::uuid end,
      'Order ' || n, 100000, 'TRY', 3, 1000, 10000, 90000, 2, (array['completed', 'disputed', 'pending', 'canceled', 'completed'])[1 + n % 5]::order_status,
      now() + age, now() + age, case when n % 5 = 3 then (array['succeeded', 'pending', 'failed'])[1 + n % 3] end::order_refund_status,
      case when n % 5 = 3 then 100000 else 0 end, now() + age, now() + age
    from generate_series(1, $4::int / 10) as n, make_interval(mins => -n) as age`,
    [workspace_id, user_id, gig, posts],
  ],
  'payments of orders': [
    `insert into payment (order_id, provider, provider_payment_id, currency, amount, paid_at, use)
    select id, 'manual', id::text, currency, price, paid_at, 'order' from gig_order
    where refund_status is not null and $1::uuid in (seller_workspace_id, buyer_workspace_id)`,
    [workspace_id],
  ],
  disputes: [
    `insert into order_dispute (id, order_id, opened_by, reason, status)
    select uuidv7(created_at - now()), id, 'buyer', 'It is late.', case when row_number() over () % 2 = 0 then 'open' else 'resolved' end::order_dispute_status
    from gig_order where status = 'disputed' and $1::uuid in (seller_workspace_id, buyer_workspace_id)`,
    [workspace_id],
  ],
  reviews: [
    `insert into order_review (id, order_id, gig_id, side, author_id, rating, text, publish_at, published_at)
    select uuidv7(created_at - now()), id, gig_id, 'buyer', $2, 5, 'Everything as promised.', now(), now()
    from gig_order where gig_id = $1 and status = 'completed'`,
    [gig, user_id],
  ],
  messages: [
    `insert into order_message (id, order_id, side, author_id, text, created_at)
    select uuidv7(age), $1, case when n % 2 = 0 then 'buyer' else 'seller' end::order_party, $2, 'Message ' || n, now() + age
    from generate_series(1, $3::int / 10) as n, make_interval(mins => -n) as age`,
    [order, user_id, posts],
  ],
  payouts: [
    `insert into payout (id, user_id, workspace_id, seller_account, amount, currency, status, holder, batch_id, created_at,
      updated_at)
    select uuidv7(age), $1, $2, $1::uuid || ':' || $2::uuid, 10000, case when n % 20 = 5 then 'USD' else 'TRY' end::currency,
      case when n <= 50 then 'processing' when n % 20 = 6 then 'pending' when n % 20 = 7 then 'failed' else 'paid' end::payout_status,
      'Ada Lovelace', case when n <= 50 then $3::uuid end, now() + age, now() + age
    from generate_series(1, $4::int / 10) as n, make_interval(mins => -n) as age`,
    [user_id, workspace_id, batch, posts],
  ],
})

/** The statements that write what costs money. */
export const moneyStatements = (...given: [dataset: Dataset, user_id: string, posts: number]) => ({
  ...billingStatements(...given),
  ...marketplaceStatements(...given),
})
