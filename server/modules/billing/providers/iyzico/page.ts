import { notFound } from '../../../../errors.ts'
import { inTransaction } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { type Language, languageOf } from '../../../../lib/language.ts'
import { majorOf } from '../calls.ts'
import { enqueueCheckoutSync, enqueueSubscriptionSync } from '../enqueue-sync.ts'
import { ProviderError } from '../provider.ts'
import { problemOf } from '../provider-problem.ts'
import { returnPath } from '../return-urls.ts'
import { openCardForm, openLink, retryFailedPayment } from './cards.ts'
import { oneOffRef } from './checkout.ts'
import { hostedPage } from './page-html.ts'

const byToken = ({ db }: Pick<Deps, 'db'>, token: string) =>
  db
    .selectFrom('checkout')
    .innerJoin('workspace', 'workspace.id', 'checkout.workspace_id')
    .leftJoin('plan', 'plan.code', 'checkout.plan_code')
    .leftJoin('user', 'user.id', 'checkout.created_by')
    .select([
      'checkout.id',
      'checkout.status',
      'checkout.form_html',
      'checkout.amount',
      'checkout.currency',
      'checkout.expires_at',
      'workspace.slug',
      'checkout.description',
      'plan.name as plan_name',
      'user.locale',
    ])
    .where('checkout.provider', '=', 'iyzico')
    .where('checkout.provider_ref', 'in', [token, oneOffRef(token)])
    .executeTakeFirst()

/** The page of an open checkout; the way back to the console from any other. Undefined: there is none. */
export async function openPaymentPage(deps: Deps, token: string) {
  const checkout = await byToken(deps, token)
  if (!checkout) return undefined
  const { form_html, status, expires_at, plan_name, amount, currency, locale } = checkout
  const back = returnPath(checkout.slug, checkout)
  if (status !== 'open' || !form_html || expires_at <= deps.clock.now()) return { back }
  const description = `${plan_name ?? checkout.description}: ${majorOf(BigInt(amount))} ${currency}`
  const page = { language: languageOf(locale ?? 'en'), description, form_html, back }
  return hostedPage(page, deps.config.IYZICO_URL)
}

/** Has the checkout read from iyzico, and returns the page of the console that waits for the result. */
export async function returnFromPayment(deps: Deps, token: string) {
  const checkout = await byToken(deps, token)
  if (!checkout) return '/'
  await inTransaction(deps.db, (tx) => enqueueCheckoutSync(tx, checkout.id))
  return returnPath(checkout.slug, checkout)
}

const subscriptionOf = ({ db }: Pick<Deps, 'db'>, id: string) =>
  db
    .selectFrom('subscription')
    .select('id')
    .where('provider', '=', 'iyzico')
    .where('provider_subscription_id', '=', id)
    .executeTakeFirst()

/**
 * The page that changes the card of a subscription. Its form is opened with the page. `count` is called with the id of the
 * subscription before iyzico is, and throws beyond a limit.
 */
export async function openCardPage(deps: Deps, sealed: string, language: Language, count: (id: string) => void) {
  const link = await openLink(deps, sealed)
  if (!link) throw notFound()
  count(link.id)
  try {
    const form_html = await openCardForm(deps, link)
    return hostedPage({ language, description: 'iyzico', form_html, back: link.back }, deps.config.IYZICO_URL)
  } catch (error) {
    throw problemOf(error)
  }
}

/**
 * Whether this is the first return from a form. It is kept with the events of iyzico before the charge, so a charge whose
 * response was lost is not made again: iyzico itself retries later.
 */
async function isFirstReturn({ db, clock }: Deps, { id, form }: { id: string; form: string }) {
  const now = clock.now()
  const event = await db
    .insertInto('billing_event')
    .values({
      provider: 'iyzico',
      event_id: `card-form ${form}`,
      type: 'card.changed',
      refs: JSON.stringify({ subscription_id: id }),
      received_at: now,
      handled_at: now,
      outcome: 'applied',
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('event_id')
    .executeTakeFirst()
  return event !== undefined
}

/** Charges what is open to the new card, once for each form, and returns the page that the payer came from. */
export async function returnFromCard(deps: Deps, sealed: string) {
  const link = await openLink(deps, sealed)
  if (!link) return '/'
  const { id, form } = link
  if (form === undefined || !(await isFirstReturn(deps, { id, form }))) return link.back
  // The subscription is read from iyzico next, whether the charge succeeded or not.
  await retryFailedPayment(deps, link.id).catch((error: unknown) => {
    if (!(error instanceof ProviderError)) throw error
    deps.log.warn({ err: error }, 'an open payment was not charged to the new card')
  })
  const row = await subscriptionOf(deps, link.id)
  if (row) await inTransaction(deps.db, (tx) => enqueueSubscriptionSync(tx, row.id))
  return link.back
}
