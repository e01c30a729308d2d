import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../lib/db/database.ts'
import { isKind, type Kind, type SubjectType } from '../kinds.ts'
import { mayRead } from '../may-read.ts'

type Waiting = {
  kind: string
  group_key: string
  subject_type: SubjectType
  subject_id: string
  subject_name: string
  workspace_name: string
  slug: string
}
type MailedNotification = Omit<Waiting, 'kind'> & { kind: Kind }

/**
 * Takes the notifications that wait for a mail to a user, so that no other mail has them. Those that were read meanwhile,
 * or that the user may no longer see, are dropped. `into`: the mail that they wait for afterwards.
 */
export async function takeNotifications(
  tx: Tx,
  user_id: string,
  { waiting, into = null }: { waiting: RawBuilder<boolean>; into?: 'digest' | null },
): Promise<MailedNotification[]> {
  const { rows } = await sql<Waiting & { is_wanted: boolean }>`
    update notification n set mail = case when n.read_at is null then ${into}::text end
    from notification_event e join workspace on workspace.id = e.workspace_id
    where e.id = n.event_id and n.user_id = ${user_id} and ${waiting}
    returning e.kind, n.group_key, e.subject_type, e.subject_id, e.subject_name, workspace.name as workspace_name,
      workspace.slug, (n.read_at is null and ${mayRead(sql`n.user_id`)}) as is_wanted, e.id`.execute(tx)
  return rows.flatMap(({ is_wanted, kind, ...row }) => (is_wanted && isKind(kind) ? [{ ...row, kind }] : []))
}

/** The page of the console about a subject. */
export function pageOf(
  baseUrl: string,
  { subject_type, subject_id, slug }: Pick<Waiting, 'subject_type' | 'subject_id'> & { slug: string | null },
) {
  if (subject_type === 'installation') return `${baseUrl}/admin/ledger`
  const path = {
    post: `posts/${subject_id}`,
    account: 'accounts/health',
    recurring_post: 'recurring-posts',
    agent: `agents/${subject_id}`,
    order: `marketplace/orders/${subject_id}`,
    workspace: 'billing',
  }[subject_type]
  return `${baseUrl}/w/${slug}/${path}`
}
