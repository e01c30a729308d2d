import { sql } from 'kysely'
import { inTransaction } from '../server/lib/db/database.ts'
import { issueInvoice, type NewInvoice } from '../server/modules/billing/invoices/invoices.ts'
import type { TestApp } from './app.ts'

type Given = Partial<NewInvoice> & { workspace_id: string }

/** An invoice of 499 TRY for a month of the plan Pro, without a subscription, unless `given` says otherwise. */
export const newInvoice = (given: Given): NewInvoice => ({
  subscription_id: null,
  checkout_id: null,
  payment_id: null,
  lines: [{ item: 'plan', plan_name: 'Pro', billing_period: 'monthly', amount: 49_900n }],
  currency: 'TRY',
  status: 'open',
  due_at: null,
  period: null,
  ...given,
})

export const issue = ({ deps }: TestApp, given: Given) =>
  inTransaction(deps.db, (tx) => issueInvoice(tx, deps, newInvoice(given)))

/** A paid invoice, with its payment. */
export async function paidInvoice(t: TestApp, given: Given) {
  const { workspace_id, lines, currency } = newInvoice(given)
  const payment = await t.deps.db
    .insertInto('payment')
    .values({
      ...{ workspace_id, currency, provider: 'manual', use: 'applied', paid_at: t.clock.now() },
      provider_payment_id: crypto.randomUUID(),
      amount: lines.reduce((total, { amount }) => total + amount, 0n),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const invoice = await issue(t, { status: 'paid', ...given, payment_id: payment.id })
  return { ...invoice, payment_id: payment.id }
}

/** Gives the seller of an invoice a tax number, as the options do before it is issued. */
export async function withTaxNumber({ deps }: TestApp, id: string) {
  const seller = { name: 'Meydan A.Ş.', address: 'Moda, İstanbul', tax_office: null, tax_id: '4540536920' }
  await sql`update invoice set seller = ${JSON.stringify(seller)} where id = ${id}`.execute(deps.db)
}
