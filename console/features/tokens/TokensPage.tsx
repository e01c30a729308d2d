import { Button, Card, Group, Switch } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { KeyRound, Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Empty, PageHead, Problem } from '../../ui/screens'
import { useMinute } from '../../ui/useMinute'
import { useTitle } from '../../ui/useTitle'
import { Waiting } from '../../ui/Waiting'
import { membersQuery } from '../workspaces/people'
import { isAtLeast, useWorkspace } from '../workspaces/queries'
import { CreateToken } from './CreateToken'
import { stateOf, tokensQuery } from './queries'
import { TokenRow } from './TokenRow'
import classes from './tokens.module.css'

const route = getRouteApi('/inside/shell/w/$workspace/tokens')

/** The tokens that programs call Meydan with. Whoever has one of them has what it may do. */
export function TokensPage() {
  const { t } = useTranslation()
  useTitle(t('rooms.tokens'))
  const workspace = useWorkspace()
  const now = useMinute()
  const tokens = useQuery({ ...tokensQuery(workspace.slug), refetchInterval: 30_000 })
  const seesAll = isAtLeast(workspace, 'admin')
  const members = useQuery({ ...membersQuery(workspace.slug), enabled: seesAll }).data
  const { past = false } = route.useSearch()
  const navigate = route.useNavigate()
  const [creating, form] = useDisclosure(false)
  const all = (tokens.data ?? []).toSorted((a, b) => b.created_at.localeCompare(a.created_at))
  const live = all.filter((token) => stateOf(token, now) === 'live')
  const shown = past ? all : live
  const create = (
    <Button leftSection={<Plus size={17} />} onClick={form.open}>
      {t('tokens.new')}
    </Button>
  )
  return (
    <>
      <PageHead title={t('rooms.tokens')} about={t('tokens.about')}>
        {live.length > 0 && create}
      </PageHead>
      {tokens.error && <Problem error={tokens.error} onRetry={() => tokens.refetch()} />}
      {tokens.isPending && <Waiting lines={3} height={92} />}
      {all.length > live.length && (
        <Group justify="flex-end" mb="sm">
          <Switch
            label={t('tokens.past', { count: all.length - live.length })}
            checked={past}
            onChange={({ currentTarget }) =>
              void navigate({
                search: { past: currentTarget.checked || undefined },
                replace: true,
                resetScroll: false,
              })
            }
          />
        </Group>
      )}
      {tokens.data && shown.length === 0 && (
        <Card padding={0}>
          <Empty icon={<KeyRound size={26} />} title={t('tokens.none')} action={create}>
            {t('tokens.none_detail')}
          </Empty>
        </Card>
      )}
      {shown.length > 0 && (
        <Card padding={0}>
          <ul className={classes.list} aria-label={t('rooms.tokens')}>
            {shown.map((token) => (
              <TokenRow
                key={token.id}
                token={token}
                now={now}
                owner={seesAll ? members?.find(({ id }) => id === token.user) : undefined}
              />
            ))}
          </ul>
        </Card>
      )}
      <CreateToken opened={creating} onClose={form.close} />
    </>
  )
}
