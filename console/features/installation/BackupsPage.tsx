import { Alert, Button, Card, Code, Progress, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, DatabaseBackup, Trash2, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { api, unwrap } from '../../api'
import { EmptyState } from '../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { StatusBadge, type StatusStyle } from '../../ui/feedback/StatusBadge'
import { useIdempotencyKey } from '../../ui/forms/useIdempotencyKey'
import { Fact, FactList } from '../../ui/layout/FactList'
import { PageHeader } from '../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { LoadMore } from '../../ui/navigation/LoadMore'
import { useFormat } from '../../ui/text/format'
import { useMe } from '../auth/queries'
import { formatBytes } from '../media/library/format-bytes'
import { BackupSchedule } from './BackupSchedule'
import classes from './installation.module.css'
import { type Backup, type BackupSummary, backupSummaryQuery, backupsQuery, isRunning } from './queries'

const COMMAND = 'npm run meydan -- backup meydan.backup'

/** Shows which backups there are and how good they are, starts one, and sets when they are made. */
export function BackupsPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.backups'))
  const queryClient = useQueryClient()
  const summary = useQuery(backupSummaryQuery)
  const list = useInfiniteQuery(backupsQuery)
  const backups = list.data?.pages.flatMap(({ data }) => data)
  const once = useIdempotencyKey()
  const start = useMutation({
    mutationFn: () => once({}, (headers) => unwrap(api.POST('/api/v1/admin/backups', { headers }))),
    onSuccess: () => notifications.show({ message: t('admin.backups.started') }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['backups'] }),
  })
  const error = list.error ?? summary.error
  const isSetUp = summary.data?.target !== null && summary.data?.has_passphrase === true
  return (
    <>
      <PageHeader title={t('pages.backups')} about={t('admin.backups.about')}>
        {isSetUp && (
          <Button
            leftSection={<DatabaseBackup size={16} />}
            loading={start.isPending}
            disabled={backups?.some(isRunning)}
            onClick={() => start.mutate()}
          >
            {t('admin.backups.start')}
          </Button>
        )}
      </PageHeader>
      {start.error && <ProblemAlert error={start.error} />}
      {error && !(backups && summary.data) && <ProblemAlert error={error} onRetry={() => list.refetch()} />}
      {(list.isPending || summary.isPending) && <LoadingSkeleton lines={5} />}
      {backups && summary.data && (
        <Stack gap="lg">
          {!isSetUp && <SetUp summary={summary.data} />}
          {backups.length > 0 && <State summary={summary.data} />}
          {isSetUp && <BackupSchedule />}
          <Card component="section" aria-labelledby="backups" padding={backups.length > 0 ? undefined : 0}>
            {backups.length > 0 ? (
              <>
                <Title order={2} size="h3" id="backups" mb="sm">
                  {t('admin.backups.list')}
                </Title>
                <ul className={classes.list} aria-labelledby="backups">
                  {backups.map((backup) => (
                    <BackupRow key={backup.id} backup={backup} />
                  ))}
                </ul>
              </>
            ) : (
              <EmptyState icon={<DatabaseBackup size={26} />} title={t('admin.backups.none')}>
                <span id="backups">{t('admin.backups.none_detail')}</span> <Code>{COMMAND}</Code>
              </EmptyState>
            )}
          </Card>
          <LoadMore of={list} />
        </Stack>
      )}
    </>
  )
}

function SetUp({ summary: { target, has_passphrase } }: { summary: BackupSummary }) {
  const { t } = useTranslation()
  return (
    <Alert color="yellow" icon={<TriangleAlert size={20} />} title={t('admin.backups.not_set_up')}>
      <Text>{t('admin.backups.set_up')}</Text>
      <Code block mt="sm" className="text">
        {[
          ...(target === null ? ['BACKUP_URL=s3://bucket/folder'] : []),
          ...(has_passphrase ? [] : ['BACKUP_PASSPHRASE=…']),
        ].join('\n')}
      </Code>
    </Alert>
  )
}

function State({ summary: { target, next_at, last_verified, last_restored } }: { summary: BackupSummary }) {
  const { t } = useTranslation()
  const format = useFormat(useMe().timezone)
  return (
    <Card component="section" aria-labelledby="backup-state">
      <Title order={2} size="h3" id="backup-state" mb="sm">
        {t('admin.backups.state_title')}
      </Title>
      <FactList>
        <Fact name={t('admin.backups.last_verified')}>
          {last_verified
            ? `${format.full(last_verified.started_at)} · ${formatBytes(format.locale, last_verified.bytes ?? 0)}`
            : t('admin.backups.never')}
        </Fact>
        {last_verified?.verified_at && (
          <Fact name={t('admin.backups.verified_at')}>{format.full(last_verified.verified_at)}</Fact>
        )}
        <Fact name={t('admin.backups.last_restored')}>
          {last_restored?.restored_at ? format.full(last_restored.restored_at) : t('admin.backups.never')}
        </Fact>
        {target !== null && <Fact name={t('admin.backups.target')}>{target}</Fact>}
        {next_at && <Fact name={t('admin.backups.next')}>{format.full(next_at)}</Fact>}
      </FactList>
      {last_verified && !last_restored && (
        <Text c="dimmed" fz="sm" mt="sm" style={{ overflowWrap: 'anywhere' }}>
          {t('admin.backups.try_restore')}{' '}
          <Code>{`npm run meydan -- verify --restore ${last_verified.target}/${last_verified.file_name}`}</Code>
        </Text>
      )}
    </Card>
  )
}

const styles: Record<Backup['state'], StatusStyle> = {
  waiting: { color: 'blue', icon: null },
  writing: { color: 'blue', icon: null },
  verifying: { color: 'blue', icon: null },
  verified: { color: 'success', icon: CircleCheck },
  failed: { color: 'coral', icon: CircleAlert },
}

function BackupRow({ backup }: { backup: Backup }) {
  const { t } = useTranslation()
  const format = useFormat(useMe().timezone)
  const { state, origin, started_at, file_name, bytes, row_count, file_count, missing_files, error_code } = backup
  const size = (count: number) => formatBytes(format.locale, count)
  const content = bytes !== null && [
    size(bytes),
    ...(row_count === null ? [] : [t('admin.backups.rows', { count: row_count, shown: format.number(row_count) })]),
    t('admin.backups.files', { count: file_count ?? 0, shown: format.number(file_count ?? 0) }),
  ]
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <Text fw={600} component="time" dateTime={started_at}>
          {format.full(started_at)}
        </Text>
        <Text c="dimmed" fz="sm" style={{ overflowWrap: 'anywhere' }}>
          {[t(`admin.backups.origin.${origin}`), ...(content || []), file_name].join(' · ')}
        </Text>
        {error_code && <Text fz="sm">{t(`admin.backups.error.${error_code}`)}</Text>}
        {missing_files !== null && missing_files > 0 && (
          <Text fz="sm">{t('admin.backups.missing', { count: missing_files })}</Text>
        )}
        {isRunning(backup) && <BackupProgress backup={backup} />}
      </div>
      {backup.removed_at ? (
        <StatusBadge color="gray" icon={Trash2}>
          {t('admin.backups.removed')}
        </StatusBadge>
      ) : (
        <StatusBadge {...styles[state]}>{t(`admin.backups.state.${state}`)}</StatusBadge>
      )}
    </li>
  )
}

function BackupProgress({ backup: { state, done_bytes, total_bytes } }: { backup: Backup }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (total_bytes === 0) return null
  const size = (count: number) => formatBytes(format.locale, count)
  return (
    <>
      <Progress
        mt="xs"
        value={Math.min(100, (done_bytes / total_bytes) * 100)}
        aria-label={t(`admin.backups.state.${state}`)}
      />
      <Text c="dimmed" fz="sm" mt={4} className="tabular">
        {t('admin.backups.progress', { done: size(done_bytes), total: size(total_bytes) })}
      </Text>
    </>
  )
}
