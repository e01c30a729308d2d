import { Badge, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Post } from '../../../api'
import { loadCode } from '../../../load-code'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormat } from '../../../ui/text/format'
import { useWorkspace } from '../../workspaces/queries'
import { type VersionSummary, versionsQuery } from './queries'
import classes from './versions.module.css'

const VersionDialog = lazy(async () => ({ default: (await loadCode(import('./VersionDialog'))).VersionDialog }))

/** The parts of a post, in the order in which they are named. */
const parts = ['content', 'media_ids', 'thread', 'first_comment', 'targets', 'media'] as const

/** Number of versions that are shown at first. */
const SHOWN = 3

/** Who changed what a post says, when and from where. A post that its author wrote here and nobody changed has none. */
export function VersionsCard({ post }: { post: Post }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const {
    data = [],
    error,
    refetch,
  } = useQuery({
    ...versionsQuery(slug, post.id, post.updated_at),
    placeholderData: (before) => before,
  })
  const [isAll, setAll] = useState(false)
  const [opened, setOpened] = useState<{ version: VersionSummary; previous: VersionSummary | undefined }>()
  const [isOpen, setOpen] = useState(false)
  if (!error && data.length < 2 && (data[0]?.source ?? 'console') === 'console') return null
  const shown = isAll ? data : data.slice(0, SHOWN)
  return (
    <Card component="section" aria-labelledby="versions">
      <Stack gap="sm">
        <Title order={2} size="h4" c="dimmed" id="versions">
          {t('versions.title')}
        </Title>
        {error && <ProblemAlert error={error} onRetry={() => refetch()} />}
        <ol className={classes.versions} aria-labelledby="versions">
          {shown.map((version, index) => (
            <VersionRow
              key={version.id}
              version={version}
              onOpen={() => {
                setOpened({ version, previous: data[index + 1] })
                setOpen(true)
              }}
            />
          ))}
        </ol>
        {!isAll && data.length > SHOWN && (
          <div>
            <Button variant="subtle" size="compact-md" onClick={() => setAll(true)}>
              {t('versions.all', { count: data.length })}
            </Button>
          </div>
        )}
        {opened && (
          <Suspense fallback={null}>
            <VersionDialog
              key={opened.version.id}
              {...opened}
              post={post}
              opened={isOpen}
              onClose={() => setOpen(false)}
            />
          </Suspense>
        )}
      </Stack>
    </Card>
  )
}

function VersionRow({ version, onOpen }: { version: VersionSummary; onOpen: () => void }) {
  const { t } = useTranslation()
  const format = useFormat(useWorkspace().timezone)
  const { number, by, token_name, source, restored_number, changed, is_current, created_at } = version
  const origin = {
    console: null,
    system: null,
    api: token_name ? t('versions.by_token', { name: token_name }) : t('versions.by_removed_token'),
    agent: t('versions.source.agent'),
    recurring_post: t('versions.source.recurring_post'),
    import: t('versions.source.import'),
    network: t('versions.source.network'),
    media: t('versions.source.media'),
    restore: t('versions.source.restore', { number: restored_number }),
    earlier: t('versions.source.earlier'),
  }[source]
  const what = parts.filter((part) => changed.includes(part)).map((part) => t(`versions.part.${part}`))
  return (
    <li className={classes.version}>
      <div className={classes.what}>
        <Group gap="xs">
          <Text span fw={600}>
            {t('versions.number', { number })}
          </Text>
          {is_current && (
            <Badge variant="light" tt="none" fw={500}>
              {t('versions.current')}
            </Badge>
          )}
        </Group>
        {what.length > 0 && <Text>{what.join(', ')}</Text>}
        <Text fz="sm" c="dimmed">
          <span dir="auto">{by?.name ?? (source === 'system' ? 'Meydan' : t('versions.somebody'))}</span>
          {' · '}
          <time dateTime={created_at} title={format.full(created_at)}>
            {format.ago(created_at)}
          </time>
          {origin && ` · ${origin}`}
        </Text>
      </div>
      <Button
        variant="default"
        size="compact-md"
        aria-label={t('versions.show_of', { number })}
        aria-haspopup="dialog"
        onClick={onOpen}
      >
        {t('versions.show')}
      </Button>
    </li>
  )
}
