import { Avatar, Badge, Button, Card, Group, Stack, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { api, queryClient, unwrap } from '../../api'
import type { components } from '../../api.gen'
import { Dialog } from '../../ui/dialog/Dialog'
import { DialogActions } from '../../ui/dialog/DialogActions'
import { EmptyState } from '../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { SearchField } from '../../ui/fields/SearchField'
import { useFormSubmit } from '../../ui/forms/useFormSubmit'
import classes from '../../ui/layout/IconList.module.css'
import { PageHeader } from '../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { LoadMore } from '../../ui/navigation/LoadMore'
import { useFormat } from '../../ui/text/format'
import { useMe, usersQuery } from './queries'

type AdminUser = components['schemas']['AdminUser']

const route = getRouteApi('/signed-in/shell/admin/users')

const reload = () => queryClient.invalidateQueries({ queryKey: ['users'] })

/** All users of this instance, for its admins. */
export function UsersPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.users'))
  const { search } = route.useSearch()
  const navigate = route.useNavigate()
  const users = useInfiniteQuery(usersQuery(search))
  const shown = users.data?.pages.flatMap(({ data }) => data) ?? []
  const find = (text: string | undefined) =>
    void navigate({ search: { search: text }, replace: true, resetScroll: false })
  return (
    <>
      <PageHeader title={t('pages.users')} about={t('users.about')} />
      <Group mb="md" role="search">
        <SearchField label={t('users.search')} value={search ?? ''} maxLength={100} onChange={find} />
      </Group>
      {users.error && <ProblemAlert error={users.error} onRetry={() => users.refetch()} />}
      {users.isPending && <LoadingSkeleton lines={5} />}
      {users.data && shown.length === 0 && (
        <Card padding={0}>
          <EmptyState
            icon={<Search size={26} />}
            title={t('users.none')}
            action={
              <Button variant="default" onClick={() => find(undefined)}>
                {t('ui.clear_search')}
              </Button>
            }
          >
            {t('users.none_detail')}
          </EmptyState>
        </Card>
      )}
      {shown.length > 0 && (
        <Card padding={0}>
          <ul className={classes.list}>
            {shown.map((user) => (
              <UserRow key={user.id} user={user} />
            ))}
          </ul>
        </Card>
      )}
      <LoadMore of={users} />
    </>
  )
}

function UserRow({ user }: { user: AdminUser }) {
  const { t } = useTranslation()
  const me = useMe()
  const format = useFormat(me.timezone)
  const [asking, ask] = useDisclosure(false)
  const { id, name, email, banned_at, ban_reason } = user
  return (
    <li className={classes.row}>
      <Avatar size={40} name={name} aria-hidden="true" />
      <div className={classes.what}>
        <Group gap="xs">
          <Text fw={600} className="text">
            {name}
          </Text>
          {id === me.id && <Badge variant="light">{t('users.you')}</Badge>}
          {user.is_instance_admin && (
            <Badge variant="light" color="blue">
              {t('users.admin')}
            </Badge>
          )}
          {user.two_factor_enabled && (
            <Badge variant="light" color="gray">
              {t('two_factor.title')}
            </Badge>
          )}
          {!user.email_verified && (
            <Badge variant="light" color="yellow">
              {t('users.unverified')}
            </Badge>
          )}
          {banned_at && (
            <Badge variant="light" color="coral">
              {t('users.banned')}
            </Badge>
          )}
        </Group>
        <Text c="dimmed" fz="sm" className="text">
          {email}
        </Text>
        <Text c="dimmed" fz="sm">
          {t('users.workspaces', { count: user.workspaces })} ·{' '}
          <time dateTime={user.created_at} title={format.full(user.created_at)}>
            {t('users.since', { ago: format.ago(user.created_at) })}
          </time>
        </Text>
        {banned_at && (
          <Text fz="sm" className="text" c="var(--mantine-color-error)">
            <time dateTime={banned_at} title={format.full(banned_at)}>
              {t('users.banned_since', { ago: format.ago(banned_at) })}
            </time>
            {ban_reason && `: ${ban_reason}`}
          </Text>
        )}
      </div>
      {id !== me.id && (
        <Button
          variant="default"
          onClick={ask.open}
          aria-label={t(banned_at ? 'users.unban_one' : 'users.ban_one', { name })}
        >
          {t(banned_at ? 'users.unban' : 'users.ban')}
        </Button>
      )}
      <Dialog opened={asking} onClose={ask.close} title={t(banned_at ? 'users.unban_ask' : 'users.ban_ask', { name })}>
        {banned_at ? <UnbanDialog user={user} onClose={ask.close} /> : <BanDialog user={user} onClose={ask.close} />}
      </Dialog>
    </li>
  )
}

type UserDialogProps = { user: AdminUser; onClose: () => void }

function BanDialog({ user: { id, name }, onClose }: UserDialogProps) {
  const { t } = useTranslation()
  const form = useForm({ initialValues: { reason: '' } })
  const ban = useFormSubmit(form, {
    mutationFn: ({ reason }) => {
      const body = reason.trim() ? { reason: reason.trim() } : {}
      return unwrap(api.POST('/api/v1/admin/users/{id}/ban', { params: { path: { id } }, body }))
    },
    onSuccess: () => {
      onClose()
      notifications.show({ message: t('users.ban_done', { name }) })
      return reload()
    },
  })
  return (
    <form onSubmit={ban.onSubmit} noValidate>
      <Stack>
        {ban.problem && <ProblemAlert error={ban.problem} />}
        <Text>{t('users.ban_detail')}</Text>
        <Textarea
          label={t('users.reason')}
          description={t('users.reason_about')}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={500}
          {...form.getInputProps('reason')}
        />
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" color="coral" loading={ban.isPending}>
            {t('users.ban')}
          </Button>
        </DialogActions>
      </Stack>
    </form>
  )
}

function UnbanDialog({ user: { id, name }, onClose }: UserDialogProps) {
  const { t } = useTranslation()
  const unban = useMutation({
    mutationFn: () => unwrap(api.POST('/api/v1/admin/users/{id}/unban', { params: { path: { id } } })),
    onSuccess: () => {
      onClose()
      notifications.show({ message: t('users.unban_done', { name }) })
      return reload()
    },
  })
  return (
    <>
      <Text mb="md">{t('users.unban_detail')}</Text>
      {unban.error && <ProblemAlert error={unban.error} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('ui.cancel')}
        </Button>
        <Button loading={unban.isPending} onClick={() => unban.mutate()}>
          {t('users.unban')}
        </Button>
      </DialogActions>
    </>
  )
}
