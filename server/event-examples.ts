import type { EventType } from './events.ts'

const workspace_id = '01993a4c-2f10-7d21-9b60-3c1e8a7f5d02'
const at = '2026-03-02T09:30:00.412Z'

const ada = {
  id: '01993a4b-7c55-7e0a-8f43-6b2d9e01c7a4',
  email: 'ada@example.com',
  token_id: null,
}
const author = { id: ada.id, name: 'Ada Yılmaz', email: ada.email }

const agent = { id: '01994f10-1c2d-7a3e-8b4f-5a6b7c8d9e0f', name: 'Bakery voice' }
const agentRun = {
  id: '01994f11-2d3e-7b4f-9c5a-6b7c8d9e0f1a',
  agent_id: agent.id,
  trigger: 'schedule',
  status: 'completed',
  reason: null,
  wanted: 1,
  made: 1,
  missed: 0,
  credits: 1,
  post_ids: ['01994f01-3e52-7d84-b6a9-1c2d3e4f5a6b'],
  created_at: '2026-03-02T09:30:00.000Z',
  started_at: '2026-03-02T09:30:01.120Z',
  ended_at: at,
}

const pending = {
  id: '01994f02-6a41-7b93-a1c8-0d5e7f2b9c34',
  account_id: '01993a50-91d7-7c48-b2e5-8f6a4d3c1b09',
  network: 'bluesky',
  handle: 'bakery.bsky.social',
  content: null,
  media_ids: null,
  thread: null,
  first_comment: null,
  options: { langs: ['en'] },
  status: 'pending',
  warning: null,
  needs_resolution: false,
  published_parts: 0,
  external_id: null,
  url: null,
  error_code: null,
  error_message: null,
  attempts: 0,
  published_at: null,
}
const published = {
  ...pending,
  status: 'published',
  published_parts: 1,
  external_id: 'at://did:plc:z72i7hdynmk6r22z27h6tvur/app.bsky.feed.post/3lk2p5xq7ds2c',
  url: 'https://bsky.app/profile/bakery.bsky.social/post/3lk2p5xq7ds2c',
  attempts: 1,
  published_at: at,
}
const failed = {
  ...pending,
  id: '01994f02-6a41-7b93-a1c8-0d5e80a47e12',
  account_id: '01993a51-0c2b-7a96-8d17-e4b5c6a79f80',
  handle: 'bakery-berlin.bsky.social',
  status: 'failed',
  error_code: 'account_disconnected',
  error_message: 'The network no longer accepts the credentials: Invalid identifier or password',
  attempts: 1,
}
const post = {
  id: '01994f02-6a3e-7f08-9c5d-2e7b4a1d6f83',
  content: 'Fresh simit from seven in the morning, every day but Monday.',
  media_ids: [],
  media: [],
  thread: [],
  first_comment: null,
  labels: ['spring'],
  status: 'scheduled',
  scheduled_at: '2026-03-02T09:30:00.000Z',
  held: null,
  review: 'none',
  review_reason: null,
  review_scheduled_at: null,
  published_at: null,
  recurring_post_id: null,
  author_id: ada.id,
  updated_by_id: null,
  targets: [pending],
  warnings: [],
  created_at: '2026-03-01T16:05:21.907Z',
  updated_at: '2026-03-01T16:05:21.907Z',
}
const inReview = { ...post, status: 'draft', scheduled_at: null, review_scheduled_at: post.scheduled_at }
const done = { ...post, published_at: at, updated_at: at }

const account = {
  id: failed.account_id,
  network: 'bluesky',
  name: 'Bakery Berlin',
  handle: failed.handle,
  url: 'https://bsky.app/profile/bakery-berlin.bsky.social',
  avatar_url: null,
  status: 'connected',
  status_detail: null,
  form: { service: 'https://bsky.social', handle: failed.handle },
  limits: {},
  paused: false,
  paused_by: null,
  connected_by: 'form',
  sign_in_ends_at: null,
  checked_at: '2026-02-27T08:00:12.330Z',
  last_published_at: '2026-02-28T17:45:03.118Z',
  created_at: '2026-01-12T10:22:40.051Z',
  updated_at: '2026-01-12T10:22:40.051Z',
}

const invoice = {
  id: '01994f80-11c2-7a3d-b4e6-9f8a7b6c5d4e',
  number: 'MYD-2026-000042',
  kind: 'invoice',
  status: 'paid',
  corrects: null,
  corrects_number: null,
  subscription_id: '01994f7f-c0de-7b21-8a95-1d2e3f4a5b6c',
  payment_id: '01994f80-0b52-7c14-9d3e-2b1a0f9e8d7c',
  currency: 'TRY',
  total: 499,
  vat_percent: 20,
  vat_amount: 83.17,
  net_amount: 415.83,
  credited: 0,
  lines: [{ description: 'Pro, monthly', plan_name: 'Pro', amount: 499, vat_amount: 83.17 }],
  seller: {
    name: 'Meydan Yazılım A.Ş.',
    address: 'İstiklal Caddesi 1, İstanbul',
    tax_office: 'Beyoğlu',
    tax_id: '4540536920',
  },
  buyer: { name: 'Köşe Fırını', line1: 'Moda Caddesi 5', postal: '34710', city: 'İstanbul', country: 'TR' },
  language: 'en',
  period_start: at,
  period_end: '2026-04-02T09:30:00.412Z',
  issued_at: at,
  due_at: null,
  paid_at: at,
  voided_at: null,
  ettn: null,
  official_number: null,
}

const subscription = {
  id: '01995f0e-4b7a-7c3d-9e21-6f5a4b3c2d18',
  workspace_id,
  plan_code: 'pro',
  status: 'active',
  trial_end: null,
  current_period_start: '2026-03-01T12:00:00.000Z',
  current_period_end: '2026-04-01T12:00:00.000Z',
  billing_currency: 'TRY',
  billing_period: 'monthly',
  amount: 499,
  cancel_at_period_end: false,
  cancel_requested_at: null,
  pending_plan_code: null,
  pending_period: null,
  past_due_deadline: null,
  ended_at: null,
  provider: 'stripe',
  provider_subscription_id: 'sub_1Pgc4h2eZvKYlo2C',
  provider_customer_id: 'cus_QXg1o8vlGmQ0Vb',
  pay_url: null,
  created_at: '2026-03-01T12:00:00.000Z',
  updated_at: at,
}

const order = {
  id: '01995c07-1c3d-7e52-8a94-5d0f6b7c8e21',
  gig_id: '01995b10-77aa-7c31-b0e2-1f9a8d7c6b54',
  title: 'Ten posts for your café',
  status: 'pending',
  buyer: { user_id: ada.id, workspace_id, workspace_name: 'Bakery' },
  seller: {
    user_id: '01993b2e-0c4f-7f16-a2d8-7e6c5b4a3f10',
    workspace_id: '01993b30-5d2a-7b90-8c1e-2f4a6b8d0c35',
    name: 'Deniz Kaya',
    handle: 'deniz',
  },
  price: 499.9,
  currency: 'TRY',
  platform_fee: 49.99,
  seller_payout: 449.91,
  delivery_days: 5,
  revisions_allowed: 2,
  revisions_used: 0,
  requirements: 'Warm colors, and our logo in a corner.',
  requirements_at: at,
  contract: null,
  paid_at: at,
  accept_by: '2026-03-05T09:30:00.412Z',
  accepted_at: null,
  due_at: null,
  delivered_at: null,
  auto_complete_at: null,
  disputed_at: null,
  completed_at: null,
  clears_at: null,
  canceled_at: null,
  canceled_by: null,
  cancel_reason: null,
  refund_amount: 0,
  refund_status: null,
  checkout: null,
  created_at: at,
  updated_at: at,
}
const accepted = { status: 'in_progress', accept_by: null, accepted_at: at, due_at: '2026-03-07T09:30:00.412Z' }
const delivered = {
  ...accepted,
  status: 'delivered',
  delivered_at: at,
  auto_complete_at: '2026-03-09T09:30:00.412Z',
  contract: {
    posts: [{ post_id: null, media_id: null, url: 'https://example.com/drafts', content: null, files: [], links: [] }],
    notes: 'Ten drafts, one for each weekday.',
  },
}

const data = {
  'post.created': { post, by: ada },
  'post.updated': { post: { ...post, updated_at: at }, change: 'edited', by: ada },
  'post.review.requested': { post: { ...inReview, review: 'pending' }, by: ada },
  'post.review.approved': { post: { ...post, review: 'approved', updated_at: at }, by: ada },
  'post.review.rejected': {
    post: { ...inReview, review: 'rejected', review_reason: 'We do not open on Mondays.', updated_at: at },
    by: ada,
  },
  'post.deleted': { post, deleted_at: at, restorable_until: '2026-03-03T09:30:00.412Z', by: ada },
  'post.published': { post: { ...done, status: 'published', targets: [published] }, author },
  'post.failed': { post: { ...done, status: 'partially_published', targets: [published, failed] }, author },
  'post.held': { post: { ...post, held: 'late', updated_at: at } },
  'recurring_post.occurrence_skipped': {
    recurring_post_id: '01994f20-5b6c-7d8e-9f0a-1b2c3d4e5f6a',
    occurs_at: '2026-03-02T09:30:00.000Z',
    reason: 'limit_reached',
    detail: 'The plan Free allows 10 posts a month; 10 were used. Wait until the next month begins (2026-04-01).',
  },
  'account.disconnected': {
    account: {
      ...account,
      status: 'disconnected',
      status_detail: 'Invalid identifier or password',
      updated_at: at,
    },
    reason: 'refused_by_network',
    by: null,
  },
  'account.refresh_failed': {
    account,
    error_code: 'network_unavailable',
    error_message: 'connect ECONNREFUSED',
  },
  'billing.invoice.paid': { invoice },
  'team.invitation.accepted': {
    invitation: {
      id: '019951aa-3d70-7e64-b0f2-9a8c7d6e5f41',
      email: 'deniz@example.com',
      role: 'editor',
      state: 'accepted',
      invited_by: ada.id,
      expires_at: '2026-03-08T12:00:00.000Z',
      created_at: '2026-03-01T12:00:00.000Z',
    },
    inviter: author,
    member: {
      id: '019954e1-f0b8-7a1d-8e39-5c4b3a2f1e07',
      name: 'Deniz Kaya',
      email: 'deniz@example.com',
      role: 'editor',
      two_factor_enabled: false,
      created_at: at,
    },
  },
  'billing.subscription.started': { subscription },
  'billing.subscription.changed': { subscription: { ...subscription, plan_code: 'team', amount: 1499 } },
  'billing.subscription.canceled': { subscription: { ...subscription, status: 'canceled', ended_at: at } },
  'billing.subscription.expired': { subscription: { ...subscription, status: 'expired', ended_at: at } },
  'billing.trial.ending': {
    subscription: { ...subscription, status: 'trialing', trial_end: '2026-03-15T12:00:00.000Z' },
  },
  'billing.payment_failed': {
    subscription: {
      ...subscription,
      status: 'past_due',
      past_due_deadline: '2026-04-22T12:00:00.000Z',
      pay_url: 'https://meydan.example.com/w/bakery/billing',
    },
    amount: 499,
    currency: 'TRY',
    reason: 'Your card has insufficient funds.',
  },
  'marketplace.order.created': { order },
  'marketplace.order.accepted': { order: { ...order, ...accepted } },
  'marketplace.order.delivered': { order: { ...order, ...delivered } },
  'marketplace.order.revision_requested': {
    order: { ...order, ...delivered, status: 'in_progress', auto_complete_at: null, revisions_used: 1 },
    reason: 'The second picture shows our old shop.',
  },
  'marketplace.order.completed': {
    order: {
      ...order,
      ...delivered,
      status: 'completed',
      auto_complete_at: null,
      completed_at: at,
      clears_at: '2026-03-16T09:30:00.412Z',
    },
  },
  'marketplace.order.canceled': {
    order: {
      ...order,
      ...{
        status: 'canceled',
        accept_by: null,
        canceled_at: at,
        canceled_by: 'seller',
        cancel_reason: 'I am fully booked.',
      },
      ...{ refund_amount: 499.9, refund_status: 'pending' },
    },
  },
  'marketplace.order.disputed': {
    order: { ...order, ...delivered, status: 'disputed', auto_complete_at: null, disputed_at: at },
    opened_by: 'buyer',
    reason: 'Only half of the posts were delivered.',
  },
  'agent.run.completed': { agent, run: agentRun },
  'agent.run.failed': {
    agent,
    run: { ...agentRun, status: 'failed', reason: 'checks_failed', made: 0, credits: 3, post_ids: [] },
  },
  'agent.disabled': { agent, reason: 'model_key_refused' },
  'webhook.test': {
    webhook_id: '01994c7d-58e2-7b40-9f1a-d3e2c1b0a998',
    message: 'This is a test event from Meydan.',
  },
} satisfies Record<EventType, object>

const examples = new Map(
  Object.entries(data).map(([type, data]) => [
    type,
    { id: '01994f73-2bdc-7d05-a6e1-7b9c0f4e8d56', type, timestamp: at, workspace_id, data },
  ]),
)

/** A complete payload of an event type, as a receiver gets it. */
export const exampleOf = (type: string) => examples.get(type)
