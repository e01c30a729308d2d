import { Card, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from '../marketplace.module.css'
import { DeliveredPosts } from './DeliveredPosts'
import type { Order } from './order-queries'

/** The requirements of the buyer, and what was delivered last. */
export function OrderContract({
  order: { requirements, contract, revisions_allowed, revisions_used },
}: {
  order: Order
}) {
  const { t } = useTranslation()
  if (!requirements && !contract) return null
  return (
    <Card component="section" aria-label={t('orders.contract')}>
      <Stack>
        {requirements && (
          <div>
            <Title order={2} size="h4">
              {t('orders.requirements')}
            </Title>
            <Text className={classes.message}>{requirements}</Text>
          </div>
        )}
        {contract && (
          <div>
            <Title order={2} size="h4">
              {t('orders.delivery')}
            </Title>
            <DeliveredPosts posts={contract.posts} />
            {contract.notes && <Text className={classes.message}>{contract.notes}</Text>}
            <Text fz="sm" c="dimmed">
              {t('orders.revisions', { used: revisions_used, allowed: revisions_allowed })}
            </Text>
          </div>
        )}
      </Stack>
    </Card>
  )
}
