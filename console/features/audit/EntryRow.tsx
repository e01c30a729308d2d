import { Text, ThemeIcon, VisuallyHidden } from '@mantine/core'
import {
  ArrowRight,
  Building2,
  FileText,
  Inbox,
  KeyRound,
  type LucideIcon,
  Mail,
  MailOpen,
  ScrollText,
  Share2,
  SlidersHorizontal,
  Sparkles,
  Tags,
  UserRound,
  Users,
  Webhook,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { translateDynamic } from '../../i18n'
import { useFormat } from '../../ui/text/format'
import { browserName } from '../../ui/text/user-agent'
import { useNetworkNames } from '../networks/queries'
import { useLimitText, useMoney } from '../plans/format'
import classes from './Audit.module.css'
import { type Change, changesOf, targetOf } from './entry-changes'
import type { AuditEntry, Person } from './queries'

const icons: Record<string, LucideIcon> = {
  workspace: Building2,
  member: Users,
  invitation: Mail,
  token: KeyRound,
  account: Share2,
  post: FileText,
  webhook: Webhook,
  user: UserRound,
  options: SlidersHorizontal,
  ai_model: Sparkles,
  plan: Tags,
  email_template: MailOpen,
  mail: Inbox,
}

/** One entry: the action, the actor, where it came from, and the changes. */
export function EntryRow({ entry, members, zone }: { entry: AuditEntry; members: Person[]; zone: string }) {
  const { t } = useTranslation()
  const format = useFormat(zone)
  const { action, actor, at, details, ip, user_agent, token_id } = entry
  const Icon = icons[action.split('.', 1)[0] ?? ''] ?? ScrollText
  const target = targetOf(entry, members)
  const changes = changesOf(entry, {
    t,
    format,
    limit: useLimitText(),
    money: useMoney(),
    members,
    networkName: useNetworkNames(),
  })
  const from = [ip, user_agent && browserName(user_agent)].filter(Boolean).join(' · ')
  return (
    <li className={classes.entry}>
      <ThemeIcon variant="light" color="gray" size={36} radius="md" aria-hidden="true">
        <Icon size={18} />
      </ThemeIcon>
      <div>
        <Text style={{ overflowWrap: 'anywhere' }}>
          <Text span inherit fw={600}>
            {translateDynamic(t, `audit.action.${action.replaceAll('.', '_')}`, action)}
          </Text>
          {target && ` · ${target.text}`}
        </Text>
        <Text c="dimmed" fz="sm" style={{ overflowWrap: 'anywhere' }}>
          {actor ? (actor.name ?? t('audit.former')) : t(details.client_link_id ? 'audit.client' : 'audit.system')}
          {actor?.email && ` (${actor.email})`}
          {from && (
            <span title={user_agent ?? undefined}>
              {' · '}
              {from}
            </span>
          )}
          {token_id && ` · ${t('audit.by_token')}`}
        </Text>
        {changes.length > 0 && (
          <dl className={classes.changes}>
            {changes.map((change) => (
              <ChangeLine key={change.field} {...change} />
            ))}
          </dl>
        )}
      </div>
      <Text c="dimmed" fz="sm" component="time" className="tabular" dateTime={at} title={format.full(at)}>
        {format.time(at)}
      </Text>
    </li>
  )
}

function ChangeLine({ field, before, after }: Change) {
  const { t } = useTranslation()
  return (
    <>
      <dt>{field}</dt>
      <dd>
        {before !== undefined && (
          <>
            <VisuallyHidden>{t('audit.before')}</VisuallyHidden> <s className={classes.before}>{before}</s>
            <ArrowRight size={14} className={classes.arrow} aria-hidden="true" />
            <VisuallyHidden>{t('audit.after')}</VisuallyHidden>{' '}
          </>
        )}
        {after}
      </dd>
    </>
  )
}
