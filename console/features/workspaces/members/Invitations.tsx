import { ActionIcon, Avatar, Badge, Card, Group, Menu, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Mail, MailX, MoreHorizontal, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient, unwrap, workspaceApi } from '../../../api'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog'
import { Dialog } from '../../../ui/dialog/Dialog'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import { useFocusAfterRemoval } from '../../../ui/focus/useFocusAfterRemoval'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { useFormat } from '../../../ui/text/format'
import { instanceQuery, useMe } from '../../auth/queries'
import { useWorkspace } from '../queries'
import { InvitationLink } from './InvitationLink'
import classes from './Members.module.css'
import { type Invitation, invitationsQuery } from './member-queries'

/** Invitations not yet accepted. */
export function Invitations() {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const invitations = useQuery({ ...invitationsQuery(slug), refetchInterval: 30_000 })
  return (
    <section aria-labelledby="invitations">
      <Title order={2} size="h3" id="invitations" mb="sm">
        {t('invitations.title')}
      </Title>
      <MailNotConfigured />
      {invitations.error && <ProblemAlert error={invitations.error} onRetry={() => invitations.refetch()} />}
      {invitations.isPending && <LoadingSkeleton lines={1} />}
      {invitations.data?.length === 0 && (
        <Card py="md">
          <Text c="dimmed">{t('invitations.none')}</Text>
        </Card>
      )}
      {invitations.data && invitations.data.length > 0 && (
        <Card padding={0}>
          <ul className={classes.list} aria-labelledby="invitations">
            {invitations.data.map((invitation) => (
              <InvitationRow key={invitation.id} invitation={invitation} />
            ))}
          </ul>
        </Card>
      )}
    </section>
  )
}

/** Without a mail server, invitations are not delivered. */
export function MailNotConfigured() {
  const { t } = useTranslation()
  const me = useMe()
  const instance = useQuery({ ...instanceQuery, staleTime: 60_000 }).data
  if (instance?.sends_mail !== false) return null
  return (
    <Text c="dimmed" fz="sm" mb="sm">
      {me.is_instance_admin ? t('invitations.kept_admin') : t('invitations.kept')}{' '}
      {me.is_instance_admin && (
        <AnchorLink to="/admin/outbox" inherit>
          {t('pages.outbox')}
        </AnchorLink>
      )}
    </Text>
  )
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const { slug } = workspace
  const format = useFormat(workspace.timezone)
  const { gone, at } = useFocusAfterRemoval<HTMLLIElement>()
  const [asking, setAsking] = useState(false)
  const [link, setLink] = useState('')
  const [isLinkOpen, { open: openLink, close: closeLink }] = useDisclosure(false)
  const { id, email, role, state, expires_at } = invitation
  const path = { params: { path: { id } } }
  const { queryKey } = invitationsQuery(slug)
  const reload = () => queryClient.invalidateQueries({ queryKey })
  const resend = useMutation({
    mutationFn: () => unwrap(workspaceApi(slug).POST('/api/v1/workspace/invitations/{id}/resend', path)),
    onSuccess: ({ url }) => {
      setLink(url ?? '')
      openLink()
    },
    onError: useErrorNotification(),
    onSettled: reload,
  })
  const revoke = useMutation({
    mutationFn: () => unwrap(workspaceApi(slug).DELETE('/api/v1/workspace/invitations/{id}', path)),
    onSuccess: async () => {
      gone.current = true
      setAsking(false)
      notifications.show({ message: t('invitations.revoked', { email }) })
      await reload()
    },
  })
  // Only owners may change invitations of owners.
  const mayChange = role !== 'owner' || workspace.role === 'owner'
  return (
    <li ref={at} className={classes.person} aria-label={email}>
      <Avatar size={40} color="gray" aria-hidden="true">
        <Mail size={19} />
      </Avatar>
      <div>
        <Group gap="xs">
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {email}
          </Text>
          {state === 'expired' && (
            <Badge variant="light" color="coral">
              {t('invitations.expired')}
            </Badge>
          )}
        </Group>
        <Text c="dimmed" fz="sm">
          <time dateTime={expires_at} title={format.full(expires_at)}>
            {state === 'expired'
              ? t('invitations.expired_on', { date: format.date(expires_at) })
              : t('invitations.expires', { ago: format.ago(expires_at) })}
          </time>
        </Text>
      </div>
      <Text fz="sm" className={`${classes.role} ${classes.fixed}`}>
        {t(`roles.${role}.name`)}
      </Text>
      {mayChange && (
        <Menu position="bottom-end" width={220}>
          <Menu.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={34}
              className={classes.action}
              aria-label={t('members.more', { name: email })}
            >
              <MoreHorizontal size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<RefreshCw size={16} />} onClick={() => resend.mutate()}>
              {t('invitations.resend')}
            </Menu.Item>
            <Menu.Item c="var(--mantine-color-error)" leftSection={<MailX size={16} />} onClick={() => setAsking(true)}>
              {t('invitations.revoke')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      <Dialog opened={isLinkOpen} onClose={closeLink} title={t('invitations.link')}>
        <InvitationLink email={email} url={link} onClose={closeLink}>
          {t('invitations.resent', { email })}
        </InvitationLink>
      </Dialog>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('invitations.revoke_ask')}
        confirm={t('invitations.revoke')}
        mutation={revoke}
        onConfirm={() => revoke.mutate()}
      >
        {t('invitations.revoke_detail', { email })}
      </ConfirmDialog>
    </li>
  )
}
