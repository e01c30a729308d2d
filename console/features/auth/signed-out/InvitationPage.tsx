import '../../../theme/components'
import { Alert, Badge, Button, Card, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api, isCode, isStatus, queryClient, unwrap } from '../../../api'
import type { components } from '../../../api.gen'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { useFormat } from '../../../ui/text/format'
import { workspacesQuery } from '../../workspaces/queries'
import { useSignOut } from '../mutations'
import { instanceQuery, invitationQuery, meQuery } from '../queries'
import { SignedOutHeading } from './SignedOutLayout'

type Preview = components['schemas']['InvitationPreview']

/** The page an invitation link leads to, for signed-in and signed-out users. */
export function InvitationPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('invitation.title'))
  const { token = '' } = getRouteApi('/signed-out/invitation').useSearch()
  const invitation = useQuery({ ...invitationQuery(token), enabled: token !== '' })
  const { error, data } = invitation
  // A malformed token returns 400; for the user that is the same as an unknown one.
  if (token === '' || isStatus(error, 404) || isStatus(error, 400))
    return (
      <InvitationClosed title={t('invitation.unknown')}>
        {t(token === '' ? 'invitation.incomplete' : 'invitation.unknown_detail')}
      </InvitationClosed>
    )
  if (error) return <ProblemAlert error={error} onRetry={() => invitation.refetch()} />
  if (!data) return <LoadingSkeleton lines={3} />
  if (data.state !== 'pending')
    return (
      <InvitationClosed title={t(`invitation.${data.state}`)}>
        {t(`invitation.${data.state}_detail`, { workspace: data.workspace_name })}
      </InvitationClosed>
    )
  return <PendingInvitation token={token} preview={data} />
}

/** Shown for a link that cannot be accepted, with a next step. */
function InvitationClosed({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <>
      <SignedOutHeading title={title}>{children}</SignedOutHeading>
      <Button component={Link} to="/" size="md" variant="default">
        {t('invitation.go_on')}
      </Button>
    </>
  )
}

function PendingInvitation({ token, preview }: { token: string; preview: Preview }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { workspace_name: workspace, inviter_name: inviter, role, email, expires_at } = preview
  return (
    <>
      <SignedOutHeading title={t('invitation.head', { workspace })}>
        {inviter ? t('invitation.about', { inviter }) : t('invitation.about_no_inviter')}
      </SignedOutHeading>
      <Card mb="lg">
        <Stack gap="sm">
          <Fact name={t('invitation.role')}>
            <Badge variant="light" size="lg">
              {t(`roles.${role}.name`)}
            </Badge>
            <Text c="dimmed" fz="sm" mt={4}>
              {t(`roles.${role}.about`)}
            </Text>
          </Fact>
          <Fact name={t('invitation.for')}>
            <Text className="text">{email}</Text>
          </Fact>
          <Fact name={t('invitation.until')}>
            <Text component="time" dateTime={expires_at}>
              {format.full(expires_at)}
            </Text>
          </Fact>
        </Stack>
      </Card>
      <InvitationActions token={token} preview={preview} />
    </>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <Text c="dimmed" fz="sm" fw={550}>
      {name}
    </Text>
    {children}
  </div>
)

/** The actions for this user: accept, sign in, sign up, or switch accounts. */
function InvitationActions({ token, preview: { email, workspace_name } }: { token: string; preview: Preview }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const next = `/invitation?token=${token}`
  const me = useQuery(meQuery)
  // If this request fails, the sign-up page itself shows whether sign-up is open.
  const instance = useQuery(instanceQuery)
  const open = instance.data?.sign_up
  const leave = useSignOut({ next, email })
  const accept = useMutation({
    mutationFn: () => unwrap(api.POST('/api/v1/invitations/{token}/accept', { params: { path: { token } } })),
    onSuccess: async ({ slug }) => {
      await queryClient.invalidateQueries({ queryKey: workspacesQuery.queryKey, refetchType: 'all' })
      await navigate({ to: '/w/$workspace', params: { workspace: slug } })
    },
    // It has been revoked or used since.
    onError: () => queryClient.invalidateQueries({ queryKey: invitationQuery(token).queryKey }),
  })
  if (isStatus(me.error, 401) && !instance.isPending)
    return (
      <>
        <Text mb="md">{t(open === 'closed' ? 'invitation.only_sign_in' : 'invitation.sign_in_first')}</Text>
        <Group>
          {open !== 'closed' && (
            <ButtonLink to="/sign-up" search={{ next, invitation: token }} size="md">
              {t('sign_in.sign_up')}
            </ButtonLink>
          )}
          <ButtonLink
            to="/sign-in"
            search={{ next, email }}
            size="md"
            variant={open === 'closed' ? 'filled' : 'default'}
          >
            {t('sign_in.submit')}
          </ButtonLink>
        </Group>
      </>
    )
  if (me.error && !isStatus(me.error, 401)) return <ProblemAlert error={me.error} onRetry={() => me.refetch()} />
  if (!me.data) return <LoadingSkeleton lines={1} />
  if (me.data.email.toLowerCase() !== email.toLowerCase())
    return (
      <>
        <Alert color="yellow" mb="md" title={t('invitation.other')}>
          {t('invitation.other_detail', { email, mine: me.data.email })}
        </Alert>
        <Button size="md" loading={leave.isPending} onClick={() => leave.mutate()}>
          {t('invitation.sign_out')}
        </Button>
      </>
    )
  return (
    <>
      {accept.error &&
        (isCode(accept.error, 'member_taken') ? (
          <Alert mb="md" title={t('invitation.member')} role="alert">
            {t('invitation.member_detail', { workspace: workspace_name })}
          </Alert>
        ) : (
          <ProblemAlert error={accept.error} />
        ))}
      <Group>
        <Button size="md" loading={accept.isPending} onClick={() => accept.mutate()}>
          {t('invitation.accept')}
        </Button>
        <Button size="md" variant="default" component={Link} to="/">
          {t('invitation.later')}
        </Button>
      </Group>
      <Text c="dimmed" mt="md">
        {t('invitation.signed_in', { email: me.data.email })}
      </Text>
    </>
  )
}
