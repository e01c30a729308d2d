import { hashPassword } from 'better-auth/crypto'
import type pg from 'pg'

export const person = { email: 'ada@example.com', password: 'correct horse battery' }

const at = '2026-11-20T10:00:00+00:00'
const later = '2026-12-20T10:00:00+00:00'

/** The id of a row. It carries the time, because events that are too old do not move on. */
const idOf = (number: number) => {
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(number).padStart(12, '0')}`
}

/** Rows of the tables that every version has used most, and of those whose migrations were edited or renamed. */
async function rowsOf(): Promise<[table: string, row: Record<string, unknown>][]> {
  const [user, workspace, account, post, webhook, event, model, generation, subscription, checkout, payment, invoice] =
    Array.from({ length: 12 }, (_, index) => idOf(index + 1))
  const ofPlan = { plan_code: 'pro', billing_period: 'monthly', amount: 49_900 }
  const ofInvoice = {
    workspace_id: workspace,
    subscription_id: subscription,
    payment_id: payment,
    checkout_id: checkout,
    prefix: 'MYD',
    year: 2026,
    status: 'paid',
    currency: 'TRY',
    vat_percent: 20,
    seller: { name: 'Meydan' },
    buyer: { name: 'Acme' },
    lines: [],
    language: 'tr',
    timezone: 'Europe/Istanbul',
    issued_at: at,
  }
  const password = await hashPassword(person.password)
  return [
    ['user', { id: user, email: person.email, email_verified: true, name: 'Ada' }],
    ['credential', { user_id: user, account_id: user, provider_id: 'credential', password }],
    ['session', { user_id: user, token: 'token', expires_at: later }],
    ['auth_attempt', { key: 'sign-in', started_at: at, count: 1 }],
    ['workspace', { id: workspace, name: 'Acme', slug: 'acme' }],
    ['workspace_member', { workspace_id: workspace, user_id: user, role: 'owner' }],
    ['api_token', { user_id: user, team_id: workspace, name: 'CI', prefix: 'mey_1', hashed_token: 'x', scopes: [] }],
    ['audit_entry', { workspace_id: workspace, actor_id: user, action: 'workspace.created', ip: '192.0.2.1' }],
    [
      'mail',
      { to_address: person.email, key: 'code', locale: 'tr', subject: '', body_text: '', body_html: '', state: 'sent' },
    ],
    [
      'account',
      { id: account, workspace_id: workspace, network: 'playground', external_id: '1', name: 'Acme', handle: 'acme' },
    ],
    [
      'post',
      {
        id: post,
        workspace_id: workspace,
        author_id: user,
        content: 'İlk gönderi',
        status: 'published',
        published_at: at,
      },
    ],
    ['post_target', { post_id: post, account_id: account, position: 0, status: 'published', published_at: at }],
    ['post_failure', { post_id: post, workspace_id: workspace, user_id: user, failed_at: at }],
    ['playground_post', { workspace_id: workspace, account_id: account, attempt_key: '1', content: 'İlk gönderi' }],
    [
      'webhook',
      {
        id: webhook,
        user_id: user,
        team_id: workspace,
        url: 'https://example.com',
        events: ['post.published'],
        secret: 'x',
      },
    ],
    ['webhook_health', { webhook_id: webhook }],
    ['event', { id: event, workspace_id: workspace, type: 'post.published', payload: '\\x7b7d', created_at: at }],
    ['delivery', { event_id: event, webhook_id: webhook, type: 'post.published', run_at: at }],
    [
      'attempt',
      {
        webhook_id: webhook,
        delivery_id: event,
        n: 1,
        event_id: event,
        type: 'post.published',
        trigger: 'schedule',
        at,
        ok: true,
        done: true,
        duration_ms: 1,
      },
    ],
    ['option', { key: 'instance.name', value: 'Acme' }],
    ['ai_model', { id_secure: model, provider: 'openai', model_key: 'x', name: 'X', api_params: {} }],
    ['usage', { workspace_id: workspace, meter: 'posts', period_start: '2026-11-01', used: 1 }],
    [
      'ai_generation',
      {
        id: generation,
        workspace_id: workspace,
        user_id: user,
        kind: 'text',
        credits: 1,
        counted_in: '2026-11-01',
        leased_until: at,
      },
    ],
    ['email_template', { key: 'code', locale: 'tr', subject: '', body_html: '' }],
    [
      'subscription',
      {
        id: subscription,
        workspace_id: workspace,
        ...ofPlan,
        status: 'active',
        anchor: at,
        current_period_start: at,
        current_period_end: later,
        billing_currency: 'TRY',
        provider: 'manual',
        timer_at: at,
      },
    ],
    ['billing_trial', { workspace_id: workspace, user_id: user }],
    [
      'checkout',
      {
        id: checkout,
        workspace_id: workspace,
        created_by: user,
        purpose: 'start',
        subscription_id: subscription,
        ...ofPlan,
        currency: 'TRY',
        period_amount: 49_900,
        provider: 'manual',
        kind: 'payment_request',
        status: 'completed',
        expires_at: later,
      },
    ],
    [
      'payment',
      {
        id: payment,
        workspace_id: workspace,
        subscription_id: subscription,
        checkout_id: checkout,
        provider: 'manual',
        provider_payment_id: '1',
        currency: 'TRY',
        amount: 49_900,
        paid_at: at,
        use: 'applied',
      },
    ],
    ['refund', { payment_id: payment, amount: 900, status: 'succeeded', settled_at: later }],
    ['invoice', { id: invoice, ...ofInvoice, kind: 'invoice', sequence: 1, total: 49_900, vat_amount: 8317 }],
    ['invoice_series', { prefix: 'MYD', year: 2026, last_sequence: 1 }],
    ['billing_event', { provider: 'stripe', event_id: '1', type: 'x', refs: {}, received_at: at }],
    [
      'payment_request',
      {
        checkout_id: checkout,
        workspace_id: workspace,
        plan_code: 'pro',
        amount: 49_900,
        currency: 'TRY',
        status: 'approved',
      },
    ],
    ['network_app', { network: 'x', client_id: 'x', client_secret: 'x' }],
    ['workspace_network_app', { workspace_id: workspace, network: 'x', client_id: 'x', client_secret: 'x' }],
    ['server_app', { network: 'x', server: 'x', redirect_uri: 'x', client_id: 'x', client_secret: 'x', scopes: ['x'] }],
    ['oauth_grant', { workspace_id: workspace, network: 'x', tokens: 'x' }],
  ]
}

/** Inserts rows by SQL, in the tables and columns that the database has: its version has no code here to call. */
export async function fill(client: pg.Client) {
  const { rows: columns } = await client.query<{ table: string; names: string[] }>(`
    select table_name as table, array_agg(column_name::text) as names from information_schema.columns
    where table_schema = 'public' group by 1`)
  const known = new Map(columns.map(({ table, names }) => [table, names]))
  for (const [table, row] of await rowsOf()) {
    const names = Object.keys(row).filter((name) => known.get(table)?.includes(name))
    if (names.length === 0) continue
    const list = names.map((name) => `"${name}"`).join(', ')
    await client.query(
      `insert into "${table}" (${list}) select ${list} from jsonb_populate_record(null::"${table}", $1)`,
      [JSON.stringify(row)],
    )
  }
}
