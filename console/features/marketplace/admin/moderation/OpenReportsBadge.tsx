import { Badge } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** The number of open reports of a record, if there are any. */
export function OpenReportsBadge({ count }: { count: number }) {
  const { t } = useTranslation()
  if (count === 0) return null
  return (
    <Badge color="coral" variant="light">
      {t('admin.marketplace.open_reports', { count })}
    </Badge>
  )
}
