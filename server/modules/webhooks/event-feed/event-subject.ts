import type { EventData } from '../../../lib/events/event-type.ts'
import type { accountEvents } from '../../accounts/accounts.events.ts'
import type { invoiceEvents } from '../../billing/invoices/invoices.events.ts'
import type { postEvents } from '../../posts/record/posts.events.ts'
import type { invitationEvents } from '../../workspaces/invitations/invitations.events.ts'

type About = Partial<
  EventData<(typeof postEvents)['post.created']> &
    EventData<(typeof accountEvents)['account.refresh_failed']> &
    EventData<(typeof invoiceEvents)['billing.invoice.paid']> &
    EventData<(typeof invitationEvents)['team.invitation.accepted']>
>

const TEXT_LENGTH = 80
/** A larger payload is not parsed: a page of them would block the event loop. */
export const MAX_PARSED_BYTES = 32_768

/** Describes in a few words the record that an event is about. A test event has none. */
export function subjectOf(payload: string | null) {
  if (payload === null) return null
  const { data }: { data?: About } = JSON.parse(payload)
  const { post, account, invoice, invitation } = data ?? {}
  if (post) return { id: post.id, text: beginningOf(post.content) }
  if (account) return { id: account.id, text: beginningOf(account.handle) }
  if (invoice) return { id: invoice.id, text: invoice.number }
  return invitation ? { id: invitation.id, text: beginningOf(invitation.email) } : null
}

const beginningOf = (text: string) => [...text.replaceAll(/\s+/g, ' ').trim()].slice(0, TEXT_LENGTH).join('')
