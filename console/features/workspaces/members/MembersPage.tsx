import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { isAtLeast, useWorkspace } from '../queries'
import { Invitations } from './Invitations'
import { InviteDialog } from './InviteDialog'
import { MemberRow } from './MemberRow'
import classes from './Members.module.css'
import { membersQuery, roles } from './member-queries'

/** The members of the workspace and their roles. */
export function MembersPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.members'))
  const workspace = useWorkspace()
  const mayInvite = isAtLeast(workspace, 'admin')
  const members = useQuery(membersQuery(workspace.slug))
  const [inviting, form] = useDisclosure(false)
  const sorted = (members.data ?? []).toSorted(
    (a, b) => roles.indexOf(b.role) - roles.indexOf(a.role) || a.name.localeCompare(b.name),
  )
  return (
    <>
      <PageHeader title={t('pages.members')} about={mayInvite ? t('members.about') : t('members.about_viewer')}>
        {mayInvite && (
          <Button leftSection={<UserPlus size={17} />} onClick={form.open}>
            {t('members.invite')}
          </Button>
        )}
      </PageHeader>
      <Stack gap="xl">
        <section aria-labelledby="people">
          <Group gap="xs" mb="sm" align="baseline">
            <Title order={2} size="h3" id="people">
              {t('members.people')}
            </Title>
            {members.data && <Text c="dimmed">{sorted.length}</Text>}
          </Group>
          {members.error && <ProblemAlert error={members.error} onRetry={() => members.refetch()} />}
          {members.isPending && <LoadingSkeleton lines={3} />}
          {members.data && (
            <Card padding={0}>
              <ul className={classes.list} aria-labelledby="people">
                {sorted.map((member) => (
                  <MemberRow key={member.id} member={member} />
                ))}
              </ul>
            </Card>
          )}
        </section>
        {mayInvite && <Invitations />}
        <section aria-labelledby="roles">
          <Title order={2} size="h3" id="roles" mb="sm">
            {t('members.roles')}
          </Title>
          <Card>
            <dl className={classes.roles}>
              {roles.toReversed().map((role) => (
                <RoleDescription key={role} name={t(`roles.${role}.name`)} about={t(`roles.${role}.about`)} />
              ))}
            </dl>
          </Card>
        </section>
      </Stack>
      <InviteDialog opened={inviting} onClose={form.close} />
    </>
  )
}

const RoleDescription = ({ name, about }: { name: string; about: string }) => (
  <>
    <dt>{name}</dt>
    <dd>{about}</dd>
  </>
)
