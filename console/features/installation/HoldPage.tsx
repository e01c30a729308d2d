import { Alert, Button, Card, Code, Group, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ArchiveRestore, CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, unwrap } from '../../api'
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog'
import { EmptyState } from '../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { PageHeader } from '../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { useFormat } from '../../ui/text/format'
import { useMe } from '../auth/queries'
import { type Choices, HeldPosts, HeldRest } from './HeldSections'
import { type Hold, holdQuery, type Release } from './queries'

/** Shows what a restored installation would send, and releases it. */
export function HoldPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.hold'))
  const hold = useQuery(holdQuery)
  return (
    <>
      <PageHeader title={t('pages.hold')} about={t('admin.hold.about')} />
      {hold.error && !hold.data && <ProblemAlert error={hold.error} onRetry={() => hold.refetch()} />}
      {hold.isPending && <LoadingSkeleton lines={5} />}
      {hold.data?.held === false && (
        <Card>
          <EmptyState icon={<CircleCheck size={26} />} title={t('admin.hold.none')}>
            {t('admin.hold.none_detail')} <Code>npm run meydan -- backup meydan.backup</Code>
          </EmptyState>
        </Card>
      )}
      {hold.data?.held && <Held hold={hold.data} />}
    </>
  )
}

/** Lets an instance admin choose what goes out at the release, which cannot be taken back. */
const cautious: Choices = {
  posts: 'unschedule',
  publish_post_ids: [],
  deliveries: 'drop',
  mails: 'keep',
  agents: 'skip',
  subscriptions: 'skip',
}

const bodyOf = ({ publish_post_ids, ...choices }: Choices): Release => ({
  ...choices,
  ...(choices.posts === 'unschedule' && { publish_post_ids }),
})

function Held({ hold }: { hold: Hold }) {
  const { t } = useTranslation()
  const format = useFormat(useMe().timezone)
  // A release that has begun goes on with its choices alone.
  const begun = hold.release
  const [chosen, setChosen] = useState<Choices>(cautious)
  const choices: Choices = begun ? { ...cautious, ...begun } : chosen
  const choose = (changed: Partial<Choices>) => setChosen((before) => ({ ...before, ...changed }))
  const section = { hold, choices, choose, disabled: begun !== null }
  return (
    <Stack gap="lg">
      <Alert icon={<ArchiveRestore size={18} />} title={t('hold.title')}>
        {t('hold.about', { time: hold.data_until ? format.full(hold.data_until) : '' })} {t('admin.hold.may_repeat')}
      </Alert>
      {begun && <Alert color="yellow">{t('admin.hold.begun')}</Alert>}
      <HeldPosts {...section} />
      <HeldRest {...section} />
      <ReleaseButton
        label={t(begun ? 'admin.hold.go_on' : 'admin.hold.release')}
        choices={choices}
        // A chosen post may have left the list, or another admin released the installation.
        onRefused={() => choose({ publish_post_ids: [] })}
      />
    </Stack>
  )
}

type ReleaseButtonProps = { label: string; choices: Choices; onRefused: () => void }

function ReleaseButton({ label, choices, onRefused }: ReleaseButtonProps) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const reload = () => queryClient.invalidateQueries({ queryKey: holdQuery.queryKey })
  const release = useMutation({
    mutationFn: () => unwrap(api.POST('/api/v1/admin/hold/release', { body: bodyOf(choices) })),
    onSuccess: async () => {
      setAsking(false)
      notifications.show({ message: t('admin.hold.released') })
      await reload()
    },
    onError: () => {
      onRefused()
      return reload()
    },
  })
  return (
    <>
      <Group>
        <Button onClick={() => setAsking(true)}>{label}</Button>
      </Group>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('admin.hold.release_title')}
        confirm={t('admin.hold.release')}
        mutation={release}
        onConfirm={() => release.mutate()}
      >
        {t('admin.hold.release_about')}
      </ConfirmDialog>
    </>
  )
}
