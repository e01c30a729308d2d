import { Button, Card, Group, Switch } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { KeyRound, Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { PageHeader } from '../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { WithGuide } from '../../ui/navigation/WithGuide'
import { useNow } from '../../ui/text/useNow'
import { membersQuery } from '../workspaces/members/member-queries'
import { isAtLeast, useWorkspace } from '../workspaces/queries'
import { CreateToken } from './CreateToken'
import { stateOf, tokensQuery } from './queries'
import { TokenRow } from './TokenRow'
import classes from './tokens.module.css'

const route = getRouteApi('/signed-in/shell/w/$workspace/tokens')

/** The API tokens of programs. Anybody who holds one has its permissions. */
export function TokensPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.tokens'))
  const workspace = useWorkspace()
  const now = useNow()
  const tokens = useQuery(tokensQuery(workspace.slug))
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
      <PageHeader title={t('pages.tokens')} about={<WithGuide name="api">{t('tokens.about')}</WithGuide>}>
        {live.length > 0 && create}
      </PageHeader>
      {tokens.error && <ProblemAlert error={tokens.error} onRetry={() => tokens.refetch()} />}
      {tokens.isPending && <LoadingSkeleton lines={3} height={92} />}
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
          <EmptyState icon={<KeyRound size={26} />} title={t('tokens.none')} action={create}>
            {t('tokens.none_detail')}
          </EmptyState>
        </Card>
      )}
      {shown.length > 0 && (
        <Card padding={0}>
          <ul className={classes.list} aria-label={t('pages.tokens')}>
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
