import { Alert, Button, Card, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, type LucideIcon, RefreshCw, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { translateDynamic } from '../../i18n'
import { EmptyState } from '../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { StatusBadge } from '../../ui/feedback/StatusBadge'
import { PageHeader } from '../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { useFormat } from '../../ui/text/format'
import { useMe } from '../auth/queries'
import classes from './installation.module.css'
import { type Status, type StatusCheck, statusQuery } from './queries'

type Level = Status['level']

const styles: Record<Level, { color: string; icon: LucideIcon }> = {
  ok: { color: 'success', icon: CircleCheck },
  warning: { color: 'yellow', icon: TriangleAlert },
  error: { color: 'coral', icon: CircleAlert },
}

/** Shows the checks of this installation, with a remedy for each that finds something wrong. */
export function StatusPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.status'))
  const status = useQuery(statusQuery)
  return (
    <>
      <PageHeader title={t('pages.status')} about={t('admin.status.about')}>
        <Button
          variant="default"
          leftSection={<RefreshCw size={16} />}
          loading={status.isFetching}
          onClick={() => void status.refetch()}
        >
          {t('admin.status.again')}
        </Button>
      </PageHeader>
      {status.error && <ProblemAlert error={status.error} onRetry={() => void status.refetch()} />}
      {status.isPending && <LoadingSkeleton lines={6} height={64} />}
      {status.data && <Report status={status.data} />}
    </>
  )
}

function Report({ status: { level, checks, read_at, version } }: { status: Status }) {
  const { t } = useTranslation()
  const format = useFormat(useMe().timezone)
  const groups = [...new Set(checks.map(({ group }) => group))]
  const count = (wanted: Level) => checks.filter((check) => check.level === wanted).length
  const { color, icon: Icon } = styles[level]
  const counts = [
    ...(count('error') > 0 ? [t('admin.status.errors', { count: count('error') })] : []),
    ...(count('warning') > 0 ? [t('admin.status.warnings', { count: count('warning') })] : []),
  ]
  if (checks.length === 0) return <EmptyState icon={<CircleCheck size={26} />} title={t('admin.status.none')} />
  return (
    <Stack gap="lg">
      <Alert
        role="status"
        color={color}
        icon={<Icon size={18} />}
        title={level === 'ok' ? t('admin.status.all_ok') : format.list(counts)}
      >
        {t('admin.status.checked', { time: format.exact(read_at) })} · Meydan {version}
      </Alert>
      {groups.map((group) => (
        <Card key={group} component="section" aria-labelledby={`status-${group}`}>
          <Title order={2} size="h4" id={`status-${group}`} mb="xs">
            {t(`admin.status.group.${group}`)}
          </Title>
          <ul className={classes.list}>
            {checks
              .filter((check) => check.group === group)
              .map((check) => (
                <CheckRow key={check.name} check={check} />
              ))}
          </ul>
        </Card>
      ))}
    </Stack>
  )
}

function CheckRow({ check: { name, level, code, values, message, remedy } }: { check: StatusCheck }) {
  const { t } = useTranslation()
  const format = useFormat(useMe().timezone)
  const shown = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      typeof value === 'number' ? format.number(value) : key.endsWith('_at') ? format.exact(value) : value,
    ]),
  )
  return (
    <li className={classes.check}>
      <StatusBadge {...styles[level]}>{t(`admin.status.level.${level}`)}</StatusBadge>
      <div className={classes.what}>
        <Text fw={600}>{translateDynamic(t, `admin.status.name.${name}`, name)}</Text>
        <Text className="text">{translateDynamic(t, `admin.status.found.${code}.message`, message, shown)}</Text>
        {remedy !== null && (
          <Text className="text" c="dimmed" fz="sm" mt={4}>
            <strong>{t('admin.status.remedy')}</strong>{' '}
            {translateDynamic(t, `admin.status.found.${code}.remedy`, remedy, shown)}
          </Text>
        )}
      </div>
    </li>
  )
}
