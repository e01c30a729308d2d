import { ActionIcon, Badge, Group, Menu, Text } from '@mantine/core'
import { MoreHorizontal, RefreshCw, ShieldOff } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DAY } from '../../../shared/time'
import { useFormat } from '../../ui/text/format'
import { useMe } from '../auth/queries'
import type { WorkspaceMember } from '../workspaces/members/member-queries'
import { isAtLeast, useWorkspace } from '../workspaces/queries'
import { type ApiToken, stateOf } from './queries'
import { RevokeToken } from './RevokeToken'
import { RotateToken } from './RotateToken'
import classes from './tokens.module.css'

const EXPIRES_SOON_MS = 7 * DAY

/** `owner`: the token's owner, for admins, who see all tokens. */
export function TokenRow({ token, now, owner }: { token: ApiToken; now: Date; owner: WorkspaceMember | undefined }) {
  const { t } = useTranslation()
  const me = useMe()
  const workspace = useWorkspace()
  const format = useFormat(workspace.timezone)
  const [doing, setDoing] = useState<'rotate' | 'revoke'>()
  const { name, prefix, scopes, team_id, last_used_at, expires_at, revoked_at, previous_expires_at } = token
  const state = stateOf(token, now)
  const live = state === 'live'
  const own = token.user === me.id
  const overlap = live && previous_expires_at && new Date(previous_expires_at) > now ? previous_expires_at : undefined
  const soon = live && expires_at && new Date(expires_at).getTime() - now.getTime() < EXPIRES_SOON_MS
  const where = team_id ? t('tokens.here') : t('tokens.everywhere')
  const whose = own ? t('tokens.yours') : owner ? t('tokens.of', { name: owner.name }) : t('tokens.of_former')
  return (
    <li className={classes.token} aria-label={name}>
      <div>
        <Group gap="xs">
          <Text fw={650} className={live ? undefined : classes.past} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          {state === 'revoked' && (
            <Badge color="gray" variant="light">
              {t('tokens.revoked')}
            </Badge>
          )}
          {state === 'expired' && (
            <Badge color="coral" variant="light">
              {t('tokens.expired')}
            </Badge>
          )}
          {overlap && (
            <Badge color="blue" variant="light" title={format.full(overlap)}>
              {t('tokens.overlap', { ago: format.ago(overlap) })}
            </Badge>
          )}
        </Group>
        <Text c="dimmed" fz="sm" mt={2} style={{ overflowWrap: 'anywhere' }}>
          <span className={classes.prefix}>{prefix}…</span> · {where}
          {isAtLeast(workspace, 'admin') && ` · ${whose}`}
        </Text>
        <div className={classes.scopes}>
          {scopes.length === 0 ? (
            <Badge color={live ? 'yellow' : 'gray'} variant="light">
              {t('tokens.no_scopes')}
            </Badge>
          ) : (
            scopes.map((scope) => (
              <Badge key={scope} color="gray" variant="light" fw={500}>
                {scope}
              </Badge>
            ))
          )}
        </div>
      </div>
      <Text c="dimmed" fz="sm" component="div" className={classes.times}>
        <div>
          {last_used_at ? (
            <time dateTime={last_used_at} title={format.full(last_used_at)}>
              {t('tokens.used', { ago: format.ago(last_used_at) })}
            </time>
          ) : (
            t('tokens.never_used')
          )}
        </div>
        {revoked_at ? (
          <time dateTime={revoked_at}>{t('tokens.revoked_on', { date: format.date(revoked_at) })}</time>
        ) : expires_at ? (
          <Text
            inherit
            component="time"
            c={soon ? 'var(--mantine-color-error)' : undefined}
            dateTime={expires_at}
            title={format.full(expires_at)}
          >
            {live
              ? t('tokens.expires', { date: soon ? format.ago(expires_at) : format.date(expires_at) })
              : t('tokens.expired_on', { date: format.date(expires_at) })}
          </Text>
        ) : (
          t('tokens.never_expires')
        )}
      </Text>
      {live && (
        <Menu position="bottom-end" width={210}>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size={34} aria-label={t('tokens.more', { name })}>
              <MoreHorizontal size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {own && (
              <Menu.Item leftSection={<RefreshCw size={16} />} onClick={() => setDoing('rotate')}>
                {t('tokens.rotate')}
              </Menu.Item>
            )}
            <Menu.Item
              c="var(--mantine-color-error)"
              leftSection={<ShieldOff size={16} />}
              onClick={() => setDoing('revoke')}
            >
              {t('tokens.revoke')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      <RotateToken token={token} opened={doing === 'rotate'} onClose={() => setDoing(undefined)} />
      <RevokeToken token={token} opened={doing === 'revoke'} onClose={() => setDoing(undefined)} />
    </li>
  )
}
