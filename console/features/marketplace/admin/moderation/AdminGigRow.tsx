import { Anchor, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { api, unwrap } from '../../../../api'
import { useFormat } from '../../../../ui/text/format'
import { useMe } from '../../../auth/queries'
import classes from '../../../billing/Billing.module.css'
import { useMoney } from '../../../plans/format'
import { GigStatusBadge } from '../../gigs/GigStatusBadge'
import { type AdminGig, invalidateMarketplaceAdmin } from '../admin-queries'
import { OpenReportsBadge } from './OpenReportsBadge'
import { RestoreButton } from './RestoreButton'
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
          <OpenReportsBadge count={open_reports} />
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
      {taken_down_at ? (
        <RestoreButton
          title={title}
          send={() => unwrap(api.POST('/api/v1/admin/marketplace/gigs/{id}/restore', { params: { path: { id } } }))}
          onDone={invalidateMarketplaceAdmin}
        />
      ) : (
        <TakeDownGig id={id} title={title} />
      )}
    </>
  )
}
