import { Card, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from '../marketplace.module.css'
import type { Order } from './order-queries'

/** The reviews of both sides with the replies to them. */
export function OrderReviews({ order: { reviews } }: { order: Order }) {
  const { t } = useTranslation()
  if (reviews.length === 0) return null
  return (
    <Card component="section" aria-labelledby="reviews">
      <Stack>
        <Title order={2} size="h3" id="reviews">
          {t('orders.reviews')}
        </Title>
        {reviews.map(({ id, side, rating, text, reply, published_at }) => (
          <div key={id}>
            <Text fz="sm" c="dimmed">
              {t(`orders.side_of.${side}`)}
              {!published_at && ` · ${t('orders.unpublished')}`}
            </Text>
            <Text>{t('orders.stars', { rating })}</Text>
            {text && <Text className={classes.message}>{text}</Text>}
            {reply && <Text className={classes.message}>{t('orders.reply', { text: reply })}</Text>}
          </div>
        ))}
      </Stack>
    </Card>
  )
}
