import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { withMentionNames } from '../../../../../shared/text/mentions'
import { useFormat } from '../../../../ui/text/format'
import { fromWall } from '../../../../ui/text/time-zone'
import { useMe } from '../../../auth/queries'
import { useAccountLabel } from '../../../networks/queries'
import { membersQuery } from '../../../workspaces/members/member-queries'
import { useWorkspace } from '../../../workspaces/queries'
import classes from '../../posts.module.css'
import type { PostDestination, PostDraft } from '../form-values'
import { type DraftPart, isText } from './merge'
import type { PostConflict } from './post-draft'

type Props = {
  conflict: PostConflict
  mine: PostDraft
  accounts: PostDestination[]
  /** `both` puts both texts into the field. */
  onDecide: (parts: DraftPart[], choice: 'mine' | 'theirs' | 'both') => void
  onDismiss: () => void
  panelRef: RefObject<HTMLDivElement | null>
}

/** Reports that another user changed the post, and shows what both changed side by side. */
export function PostConflictPanel({ conflict, mine, accounts, onDecide, onDismiss, panelRef }: Props) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const me = useMe()
  const format = useFormat(workspace.timezone)
  const members = useQuery(membersQuery(workspace.slug)).data
  const { theirs, theirDraft, open, taken } = conflict
  const name =
    theirs.updated_by_id === me.id
      ? t('conflict.you_elsewhere')
      : (members?.find(({ id }) => id === theirs.updated_by_id)?.name ?? t('conflict.somebody'))
  const nameOfPart = usePartNames(accounts)
  const time = format.time(theirs.updated_at)
  const listed = format.list(taken.map(nameOfPart))
  if (open.length === 0)
    return (
      <Alert
        icon={<Users size={20} />}
        title={t('conflict.changed', { name, time })}
        mb="lg"
        role="status"
        withCloseButton
        closeButtonLabel={t('ui.close')}
        onClose={onDismiss}
      >
        {t('conflict.taken', { parts: listed })}
      </Alert>
    )
  return (
    <Alert
      ref={panelRef}
      tabIndex={-1}
      color="yellow"
      icon={<Users size={20} />}
      title={t('conflict.changed', { name, time })}
      mb="lg"
      role="alert"
    >
      {t('conflict.choose')} {taken.length > 0 && t('conflict.taken', { parts: listed })}
      <Stack mt="md" gap="md">
        {open.map((part) => (
          <section key={part} className={classes.versions} aria-label={nameOfPart(part)}>
            <Title order={3} size="h4">
              {nameOfPart(part)}
            </Title>
            <div className={classes.sides}>
              <Version title={t('conflict.mine')} part={part} draft={mine} accounts={accounts} />
              <Version title={name} part={part} draft={theirDraft} accounts={accounts} />
            </div>
            <Group gap="xs">
              <Button size="compact-md" onClick={() => onDecide([part], 'mine')}>
                {t('conflict.keep_mine')}
              </Button>
              <Button size="compact-md" variant="default" onClick={() => onDecide([part], 'theirs')}>
                {t('conflict.take_theirs')}
              </Button>
              {isText(part, mine, theirDraft) && (
                <Button size="compact-md" variant="default" onClick={() => onDecide([part], 'both')}>
                  {t('conflict.combine')}
                </Button>
              )}
            </Group>
          </section>
        ))}
        {open.length > 1 && (
          <Group gap="xs">
            <Button size="compact-md" variant="default" onClick={() => onDecide(open, 'mine')}>
              {t('conflict.keep_all')}
            </Button>
            <Button size="compact-md" variant="default" onClick={() => onDecide(open, 'theirs')}>
              {t('conflict.take_all')}
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  )
}

function usePartNames(accounts: PostDestination[]) {
  const { t } = useTranslation()
  const names: Partial<Record<DraftPart, string>> = {
    content: t('compose.text'),
    media_ids: t('compose.media'),
    thread: t('compose.thread'),
    first_comment: t('compose.comment'),
    accounts: t('compose.accounts'),
    labels: t('post.labels'),
    time: t('compose.when'),
  }
  return (part: DraftPart) =>
    names[part] ?? t('compose.text_for', { name: accounts.find(({ id }) => part === `own.${id}`)?.name ?? '' })
}

/** A part of a post as one of the two wrote it. */
function Version({
  title,
  part,
  draft,
  accounts,
}: {
  title: string
  part: DraftPart
  draft: PostDraft
  accounts: PostDestination[]
}) {
  const value = useShownPart(part, draft, accounts)
  return (
    <div className={classes.version}>
      <Text fz="sm" fw={600} c="dimmed">
        {title}
      </Text>
      <Text className="text" dir="auto">
        {withMentionNames(value)}
      </Text>
    </div>
  )
}

function useShownPart(
  part: DraftPart,
  { content, media_ids, thread, first_comment, own, options, accounts, labels, when, wall }: PostDraft,
  known: PostDestination[],
) {
  const { t } = useTranslation()
  const clock = useFormat('UTC')
  const labelOf = useAccountLabel()
  if (part === 'content') return content || t('posts.empty')
  if (part === 'media_ids') return t('compose.files_count', { count: media_ids.length })
  if (part === 'thread') return joined(thread.map((one) => one.content)) || t('conflict.none')
  if (part === 'first_comment') return first_comment || t('conflict.none')
  if (part === 'labels') return labels.join(', ') || t('conflict.none')
  if (part === 'accounts')
    return (
      known
        .filter(({ id }) => accounts.includes(id))
        .map(labelOf)
        .join(', ') || t('conflict.none')
    )
  if (part === 'time') return when === 'later' && wall ? clock.full(fromWall('UTC', wall)) : t(`compose.${when}`)
  const version = own[part.slice(4)] ?? {}
  const settings = Object.entries(options[part.slice(4)] ?? {}).map(([key, value]) => `${key}: ${String(value)}`)
  const files = version.media_ids && t('compose.files_count', { count: version.media_ids.length })
  return (
    joined([
      version.content,
      files,
      ...(version.thread ?? []).map((one) => one.content),
      version.first_comment,
      ...settings,
    ]) || t('compose.same_text')
  )
}

const joined = (texts: (string | undefined)[]) => texts.filter(Boolean).join('\n\n')
