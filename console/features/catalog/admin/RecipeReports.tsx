import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../ui/dialog/Dialog'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { LoadMore } from '../../../ui/navigation/LoadMore'
import { useFormat } from '../../../ui/text/format'
import { useMe } from '../../auth/queries'
import classes from '../catalog.module.css'
import { recipeReportsQuery } from './admin-queries'

export function ReportsButton({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation()
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button variant="subtle" color="gray" onClick={open} aria-label={t('admin.catalog.reports_of', { name })}>
        {t('admin.marketplace.reports')}
      </Button>
      <Dialog opened={opened} onClose={close} title={t('admin.catalog.reports_of', { name })}>
        <RecipeReports id={id} />
      </Dialog>
    </>
  )
}

function RecipeReports({ id }: { id: string }) {
  const { t } = useTranslation()
  const format = useFormat(useMe().timezone)
  const reports = useInfiniteQuery(recipeReportsQuery(id))
  const shown = reports.data?.pages.flatMap(({ data }) => data)
  return (
    <>
      {reports.error && !shown && <ProblemAlert error={reports.error} onRetry={() => reports.refetch()} />}
      {reports.isPending && <LoadingSkeleton lines={2} />}
      {shown?.length === 0 && <Text c="dimmed">{t('admin.marketplace.no_reports')}</Text>}
      <ul className={classes.versions}>
        {shown?.map((report) => (
          <li key={report.id}>
            <Text fw={600}>
              {t(`catalog.reasons.${report.reason}`)} · {t(`admin.marketplace.report.${report.status}`)}
            </Text>
            {report.text && <Text className="text">{report.text}</Text>}
            <Text c="dimmed" fz="sm" className="text">
              {report.reporter ? `${report.reporter.name}, ${report.reporter.email}` : t('orders.gone')} ·{' '}
              {format.date(report.created_at)}
            </Text>
          </li>
        ))}
      </ul>
      <LoadMore of={reports} />
    </>
  )
}
