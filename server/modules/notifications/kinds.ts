import { MINUTE } from '../../../shared/time.ts'
import type { Role } from '../../lib/http/roles.ts'

export type SubjectType = 'post' | 'account' | 'recurring_post' | 'agent' | 'order' | 'workspace' | 'installation'
/** `digest`: one mail with all notifications of a day. */
export type Mode = 'now' | 'digest' | 'off'

type KindOptions = {
  /** `installation`: it belongs to no workspace, and all instance admins are told. */
  subject: SubjectType
  /** The least role that may read it. */
  reader: Role
  /** When it is mailed, unless the user chose another mode. */
  mail: Mode
  /** Pushed to the browsers of users, unless they chose otherwise. */
  push?: true
  /** Mailed and pushed also in quiet hours. */
  urgent?: true
  /**
   * The members to whom its cause sends a mail of its own for the mode `now`: all who are told, or only those named by
   * their ids. The others get a mail about their notifications.
   */
  ownMail?: 'all' | 'named'
  /** Users cannot turn off its mails. */
  alwaysMailed?: true
  /** Told to those who can approve the post at the time of telling. */
  approvers?: true
}

/** Every kind of notification, with the defaults. */
export const kinds = {
  'post.failed': { subject: 'post', reader: 'viewer', mail: 'now', push: true, urgent: true, ownMail: 'named' },
  'post.unconfirmed': { subject: 'post', reader: 'viewer', mail: 'now', push: true, urgent: true },
  'post.held': { subject: 'post', reader: 'editor', mail: 'now', push: true, ownMail: 'all' },
  'review.requested': { subject: 'post', reader: 'editor', mail: 'now', push: true, approvers: true },
  'review.missed': { subject: 'post', reader: 'viewer', mail: 'now', push: true, ownMail: 'all', approvers: true },
  'review.approved': { subject: 'post', reader: 'viewer', mail: 'digest' },
  'review.rejected': { subject: 'post', reader: 'viewer', mail: 'now', push: true },
  'comment.mentioned': { subject: 'post', reader: 'viewer', mail: 'now', push: true },
  'comment.created': { subject: 'post', reader: 'viewer', mail: 'digest' },
  'comment.from_client': { subject: 'post', reader: 'viewer', mail: 'now', push: true },
  'account.disconnected': { subject: 'account', reader: 'editor', mail: 'now', urgent: true, ownMail: 'all' },
  'account.ending': { subject: 'account', reader: 'editor', mail: 'now', ownMail: 'all' },
  'recurring_post.paused': { subject: 'recurring_post', reader: 'viewer', mail: 'digest' },
  'agent.waiting': { subject: 'agent', reader: 'editor', mail: 'digest' },
  'agent.budget_warning': { subject: 'agent', reader: 'editor', mail: 'digest' },
  'agent.budget_reached': { subject: 'agent', reader: 'editor', mail: 'now' },
  'agent.disabled': { subject: 'agent', reader: 'viewer', mail: 'now', ownMail: 'all' },
  'billing.payment_failed': { subject: 'workspace', reader: 'admin', mail: 'now', ownMail: 'all', alwaysMailed: true },
  'billing.payment_due': { subject: 'workspace', reader: 'admin', mail: 'now', ownMail: 'all', alwaysMailed: true },
  'billing.trial_ending': { subject: 'workspace', reader: 'admin', mail: 'now', ownMail: 'all', alwaysMailed: true },
  'billing.ended': { subject: 'workspace', reader: 'admin', mail: 'now', ownMail: 'all', alwaysMailed: true },
  'ledger.check_failed': { subject: 'installation', reader: 'owner', mail: 'now', ownMail: 'all', alwaysMailed: true },
  'order.changed': { subject: 'order', reader: 'admin', mail: 'now', ownMail: 'all' },
} as const satisfies Record<string, KindOptions>

export type Kind = keyof typeof kinds

export const kindNames = Object.keys(kinds) as Kind[]
export const isKind = (name: string): name is Kind => Object.hasOwn(kinds, name)
export const optionsOf = (kind: Kind): KindOptions => kinds[kind]
export const pushDefault = (kind: Kind) => (optionsOf(kind).push ? ('now' as const) : ('off' as const))

/** Time in which notifications of a kind are collected for one mail, and dropped from it when they are read. */
export const collectMs = (kind: Kind) => (kind === 'comment.from_client' ? 15 : kind === 'post.failed' ? 5 : 2) * MINUTE
