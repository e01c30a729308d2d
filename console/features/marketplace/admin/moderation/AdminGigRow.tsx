import { Anchor, Badge, Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api, unwrap } from '../../../api'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import { useFormat } from '../../../ui/text/format'
import { useMe } from '../../auth/queries'
import classes from '../../billing/Billing.module.css'
import { useMoney } from '../../plans/format'
import { GigStatusBadge } from '../gigs/GigStatusBadge'
import { type AdminGig, invalidateMarketplaceAdmin } from './admin-queries'
import { TakeDownGig } from './TakeDownGig'

/** A gig of any workspace, to be taken down or restored. */
export function AdminGigRow({ gig }: { gig: AdminGig }) {
  const { t } = useTranslation()
  const money = useMoney()
  const format = useFormat(useMe().timezone)
  const { id, title, url, price, currency, status, taken_down_at, take_down_reason, owner, open_reports } = gig
  const isPublic = status === 'published' && !taken_down_at
  return (
    <>
      <div className={classes.what}>
        <Group gap="xs">
          {isPublic ? (
            <Anchor href={url} target="_blank" rel="noreferrer" fw={600} className="text">
              {title}
            </Anchor>
          ) : (
            <Text fw={600} className="text">
              {title}
            </Text>
          )}
          <GigStatusBadge gig={gig} />
          {open_reports > 0 && (
            <Badge color="coral" variant="light">
              {t('admin.marketplace.open_reports', { count: open_reports })}
            </Badge>
          )}
        </Group>
        <Text c="dimmed" fz="sm" className="text">
          {owner ? `${owner.name}, ${owner.email}` : t('orders.gone')} · {format.date(gig.created_at)}
        </Text>
        {take_down_reason && (
          <Text fz="sm" className="text">
            {t('orders.cancel_reason', { reason: take_down_reason })}
          </Text>
        )}
      </div>
      <span className={classes.money}>{money(price, currency)}</span>
      {taken_down_at ? <RestoreButton gig={gig} /> : <TakeDownGig id={id} title={title} />}
    </>
  )
}

function RestoreButton({ gig: { id, title } }: { gig: AdminGig }) {
  const { t } = useTranslation()
  const restore = useMutation({
    mutationFn: () => unwrap(api.POST('/api/v1/admin/marketplace/gigs/{id}/restore', { params: { path: { id } } })),
    onSuccess: () => notifications.show({ message: t('admin.marketplace.restored', { title }) }),
    onSettled: invalidateMarketplaceAdmin,
    onError: useErrorNotification(),
  })
  return (
    <Button
      variant="default"
      onClick={() => restore.mutate()}
      loading={restore.isPending}
      aria-label={t('admin.marketplace.restore_one', { title })}
    >
      {t('admin.marketplace.restore')}
    </Button>
  )
}
