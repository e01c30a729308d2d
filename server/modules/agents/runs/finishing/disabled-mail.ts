import type { Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { languageOf } from '../../../../lib/language.ts'
import { quoted } from '../../../../lib/text.ts'
import { agentFailedBecause } from '../../../mail/templates/texts/phrases.ts'
import { queueNotificationMail } from '../../../notifications/mails/queue-mail.ts'
import { notify } from '../../../notifications/notify.ts'
import type { RunReason } from '../../record/run-status.ts'

type Disabled = { id: string; workspace_id: string; name: string; reason: RunReason }

/** Mails the member for whom an agent acts, and the owners of the workspace, each in their language. */
export async function mailDisabled(deps: Deps, tx: Tx, { id, workspace_id, name, reason }: Disabled) {
  const people = await tx
    .selectFrom('workspace_member')
    .innerJoin('user', 'user.id', 'workspace_member.user_id')
    .innerJoin('workspace', 'workspace.id', 'workspace_member.workspace_id')
    .innerJoin('agent', 'agent.workspace_id', 'workspace.id')
    .select([
      'user.id',
      'agent.acts_for_id',
      'user.email',
      'user.name',
      'user.locale',
      'workspace.name as workspace_name',
    ])
    .select('workspace.slug')
    .where('agent.id', '=', id)
    .where('workspace.id', '=', workspace_id)
    .where((where) =>
      where.or([where('workspace_member.role', '=', 'owner'), where('user.id', '=', where.ref('agent.acts_for_id'))]),
    )
    .where('user.email_verified', '=', true)
    .where('user.banned_at', 'is', null)
    .orderBy('user.id')
    .execute()
  const now = deps.clock.now()
  await notify(
    tx,
    {
      ...{ kind: 'agent.disabled', workspace_id, cause: now.toISOString(), detail: reason },
      subject: { id, name },
      to: { roles: ['owner'], user_ids: [people[0]?.acts_for_id] },
    },
    now,
  )
  for (const { email, locale, workspace_name, slug, ...person } of people)
    await queueNotificationMail(tx, deps, {
      kind: 'agent.disabled',
      user_id: person.id,
      key: 'agent-disabled',
      to: { address: email, name: person.name },
      locale,
      variables: {
        workspace_name,
        agent_name: quoted(name, 80),
        agent_url: `${deps.baseUrl}/w/${slug}/agents/${id}`,
        reason: agentFailedBecause[languageOf(locale)][reason] ?? reason,
      },
    })
}
