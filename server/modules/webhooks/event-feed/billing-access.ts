import { problem } from '../../../errors.ts'
import { type Member, mayReadBilling } from '../../../lib/http/access.ts'
import { atLeast } from '../../../lib/http/roles.ts'

/** Beginning of the types of billing events. */
export const BILLING = 'billing.'

export const isBilling = (type: string) => type.startsWith(BILLING)

/** Refuses what is readable with access to billing alone. */
export function assertReadsBilling(caller: Member) {
  if (mayReadBilling(caller)) return
  if (!atLeast(caller.role, 'admin'))
    throw problem('forbidden_role', { detail: `Events of billing require the role admin; yours is ${caller.role}.` })
  throw problem('insufficient_scope', {
    detail: 'The token lacks the scope billing:read, which events of billing require.',
    extra: { scope: 'billing:read' },
  })
}
