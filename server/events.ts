import type { EventType } from './lib/events/event-type.ts'
import { accountEvents } from './modules/accounts/accounts.events.ts'
import { agentEvents } from './modules/agents/runs/runs.events.ts'
import { invoiceEvents } from './modules/billing/invoices/invoices.events.ts'
import { subscriptionEvents } from './modules/billing/records/subscriptions.events.ts'
import { orderEvents } from './modules/marketplace/orders/record/orders.events.ts'
import { clientLinkEvents } from './modules/posts/client-links/client-links.events.ts'
import { commentEvents } from './modules/posts/comments/comments.events.ts'
import { importEvents } from './modules/posts/import/imports.events.ts'
import { postEvents } from './modules/posts/record/posts.events.ts'
import { recurrenceEvents } from './modules/posts/recurrence/recurrence.events.ts'
import { webhookEvents } from './modules/webhooks/webhooks.events.ts'
import { invitationEvents } from './modules/workspaces/invitations/invitations.events.ts'

/** All event types, by their names. This is a public contract: it only grows. */
export const eventTypes: Record<string, EventType> = {
  ...postEvents,
  ...commentEvents,
  ...clientLinkEvents,
  ...recurrenceEvents,
  ...importEvents,
  ...accountEvents,
  ...invoiceEvents,
  ...invitationEvents,
  ...subscriptionEvents,
  ...orderEvents,
  ...agentEvents,
  ...webhookEvents,
}

/** Other names of event types: see {@link EventType.alias}. */
export const aliases: Record<string, string> = Object.fromEntries(
  Object.values(eventTypes).flatMap(({ type, alias }) => (alias === undefined ? [] : [[alias, type]])),
)

/** All names that a webhook may subscribe to. */
export const subscriptions = ['*', ...Object.keys(eventTypes), ...Object.keys(aliases)]
