import { Anchor, Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { CircleCheck, CircleMinus, Flag } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { api, unwrap } from '../../../../api'
import { StatusBadge, type StatusStyle } from '../../../../ui/feedback/StatusBadge'
import { useErrorNotification } from '../../../../ui/feedback/useErrorNotification'
import { useFormat } from '../../../../ui/text/format'
import { useMe } from '../../../auth/queries'
import classes from '../../../billing/Billing.module.css'
import { type GigReport, invalidateMarketplaceAdmin } from '../admin-queries'
import { TakeDownGig } from './TakeDownGig'

const styles: Record<GigReport['status'], StatusStyle> = {
  open: { color: 'yellow', icon: Flag },
  upheld: { color: 'success', icon: CircleCheck },
  dismissed: { color: 'gray', icon: CircleMinus },
}

/** A report of a gig, to be upheld or dismissed. */
export function ReportRow({ report }: { report: GigReport }) {
  const { t } = useTranslation()
  const format = useFormat(useMe().timezone)
  const { gig_id, gig_title, gig_url, status, reason, text, reporter, created_at } = report
  return (
    <>
      <div className={classes.what}>
        <Group gap="xs">
          {status === 'upheld' ? (
            <Text fw={600} className="text">
              {gig_title}
            </Text>
          ) : (
            <Anchor href={gig_url} target="_blank" rel="noreferrer" fw={600} className="text">
              {gig_title}
            </Anchor>
          )}
          <StatusBadge {...styles[status]}>{t(`admin.marketplace.report.${status}`)}</StatusBadge>
        </Group>
        <Text fz="sm" className="text">
          {t(`admin.marketplace.reason.${reason}`)}
          {text && `: ${text}`}
        </Text>
        <Text c="dimmed" fz="sm" className="text">
          {reporter ? `${reporter.name}, ${reporter.email}` : t('orders.gone')} ·{' '}
          <span title={format.full(created_at)}>{format.ago(created_at)}</span>
        </Text>
      </div>
      {status === 'open' && (
        <Group gap="xs">
          <DismissButton report={report} />
          <TakeDownGig id={gig_id} title={gig_title} />
        </Group>
      )}
    </>
  )
}

function DismissButton({ report: { id, gig_title } }: { report: GigReport }) {
  const { t } = useTranslation()
  const dismiss = useMutation({
    mutationFn: () => unwrap(api.POST('/api/v1/admin/marketplace/reports/{id}/dismiss', { params: { path: { id } } })),
    onSuccess: () => notifications.show({ message: t('admin.marketplace.dismissed') }),
    onSettled: invalidateMarketplaceAdmin,
    onError: useErrorNotification(),
  })
  return (
    <Button
      variant="default"
      onClick={() => dismiss.mutate()}
      loading={dismiss.isPending}
      aria-label={t('admin.marketplace.dismiss_one', { title: gig_title })}
    >
      {t('admin.marketplace.dismiss')}
    </Button>
  )
}
