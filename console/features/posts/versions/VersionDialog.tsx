import { Alert, Button, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { History, TriangleAlert } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { withMentionNames } from '../../../../shared/text/mentions'
import { type Post, unwrap, workspaceApi } from '../../../api'
import { Dialog } from '../../../ui/dialog/Dialog'
import { DialogActions } from '../../../ui/dialog/DialogActions'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { ComparedText } from '../../../ui/text/ComparedText'
import { accountsQuery } from '../../accounts/queries'
import { PreviewGrid } from '../../media/attachments/PreviewGrid'
import { useWorkspace } from '../../workspaces/queries'
import { showPost } from '../changes'
import { usePostPermissions } from '../PostActions'
import { changedAccounts, changedFiles, changedTexts, type TextChange } from './changes'
import { reloadVersions, type Version, type VersionSummary, versionQuery } from './queries'

type Props = {
  post: Post
  version: VersionSummary
  previous: VersionSummary | undefined
  opened: boolean
  onClose: () => void
}

/** What one version of a post changed. Those who may edit the post can restore it. */
export function VersionDialog({ post, version, previous, opened, onClose }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const may = usePostPermissions(post)
  const { number } = version
  const read = useQuery(versionQuery(slug, version))
  const before = useQuery({ ...versionQuery(slug, previous ?? version), enabled: previous !== undefined })
  const error = read.error ?? before.error
  const isRead = read.data && (!previous || before.data)
  const restore = useMutation({
    mutationFn: () => {
      const params = { path: { id: post.id, version_id: version.id } }
      return unwrap(workspaceApi(slug).POST('/api/v1/posts/{id}/versions/{version_id}/restore', { params }))
    },
    onSuccess: async (changed) => {
      showPost(slug, changed)
      onClose()
      notifications.show({ message: t('versions.restored', { number }) })
      await reloadVersions(slug, post.id)
    },
  })
  const gone = read.data?.media.filter((file) => file.is_deleted) ?? []
  const isRestorable = may.edit && !version.is_current
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={restore.reset}
      title={t('versions.number', { number })}
      size="lg"
    >
      <Stack>
        {error && <ProblemAlert error={error} onRetry={() => (read.error ? read.refetch() : before.refetch())} />}
        {!error && !isRead && <LoadingSkeleton lines={3} height={40} />}
        {read.data && isRead && <Changes version={read.data} previous={previous && before.data} />}
        {isRestorable && gone.length > 0 && (
          <Alert
            color="yellow"
            icon={<TriangleAlert size={20} />}
            title={t('versions.file_gone', { count: gone.length })}
          >
            {gone
              .filter(({ name, alt }) => name ?? alt)
              .map(({ id, name, alt }) => (
                <Text key={id} fz="sm" dir="auto">
                  {name ?? alt}
                </Text>
              ))}
          </Alert>
        )}
        {isRestorable && read.data?.targets.some((target) => target.is_removed) && (
          <Alert color="yellow" icon={<TriangleAlert size={20} />}>
            {t('versions.account_gone')}
          </Alert>
        )}
        {restore.error && <ProblemAlert error={restore.error} />}
        {isRestorable && gone.length === 0 && (
          <Text fz="sm" c="dimmed">
            {t(post.review === 'approved' ? 'versions.restore_approved' : 'versions.restore_about')}
          </Text>
        )}
        {may.own && !may.edit && !version.is_current && (
          <Text fz="sm" c="dimmed">
            {t('versions.restore_refused')}
          </Text>
        )}
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('ui.close')}
        </Button>
        {isRestorable && (
          <Button
            leftSection={<History size={17} />}
            disabled={!isRead || gone.length > 0}
            loading={restore.isPending}
            onClick={() => restore.mutate()}
          >
            {t('versions.restore')}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}

function Changes({ version, previous }: { version: Version; previous: Version | undefined }) {
  const { t } = useTranslation()
  const nameOf = useAccountNames(version, previous)
  const texts = changedTexts(version, previous)
  const { added, removed, configured } = changedAccounts(version, previous)
  const files = changedFiles(version, previous)
  const names = (targets: typeof added) => targets.map(({ account_id }) => nameOf(account_id)).join(', ')
  const present = files.added.filter((id) => !version.media.some((file) => file.id === id && file.is_deleted))
  return (
    <>
      {!previous && <Text c="dimmed">{t('versions.first')}</Text>}
      {previous && version.changed.length === 0 && <Text c="dimmed">{t('versions.same')}</Text>}
      {texts.map((change) => (
        <ChangedText key={`${change.account_id} ${change.part} ${change.place}`} change={change} nameOf={nameOf} />
      ))}
      {files.described.map(({ id, part, ...texts }) => (
        <Compared key={`${id} ${part}`} label={t(`versions.file.${part}`)} {...texts} />
      ))}
      {files.added.length > 0 && (
        <div>
          <Text fw={600}>{t('versions.files_added', { count: files.added.length })}</Text>
          <div style={{ maxWidth: '16rem' }}>
            <PreviewGrid ids={present} />
          </div>
        </div>
      )}
      {files.removed.length > 0 && <Text fw={600}>{t('versions.files_removed', { count: files.removed.length })}</Text>}
      {files.isMoved && <Text fw={600}>{t('versions.files_moved')}</Text>}
      {added.length > 0 && <Text>{t('versions.accounts_added', { names: names(added) })}</Text>}
      {removed.length > 0 && <Text>{t('versions.accounts_removed', { names: names(removed) })}</Text>}
      {configured.length > 0 && <Text>{t('versions.accounts_configured', { names: names(configured) })}</Text>}
    </>
  )
}

/** The names of accounts now, else what they were called on their network. */
function useAccountNames(version: Version, previous: Version | undefined) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const accounts = useQuery(accountsQuery(slug)).data
  const targets = [...version.targets, ...(previous?.targets ?? [])]
  return (id: string) =>
    accounts?.find((account) => account.id === id)?.name ??
    targets.find(({ account_id }) => account_id === id)?.handle ??
    t('versions.removed_account')
}

function ChangedText({ change, nameOf }: { change: TextChange; nameOf: (id: string) => string }) {
  const { t } = useTranslation()
  const { account_id, part, place, before, after } = change
  const label =
    part === 'thread'
      ? t('compose.part', { number: place })
      : t(part === 'content' ? 'versions.part.content' : 'versions.part.first_comment')
  return <Compared label={account_id ? `${label} · ${nameOf(account_id)}` : label} before={before} after={after} />
}

function Compared({ label, before, after }: { label: string; before: string; after: string }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Text fw={600} id={id}>
        {label}
      </Text>
      <ComparedText before={withMentionNames(before)} after={withMentionNames(after)} />
    </section>
  )
}
