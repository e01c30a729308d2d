import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { useFormat } from '../../../ui/text/format'
import { useMoney } from '../../plans/format'
import classes from '../marketplace.module.css'
import { OrderFile } from './OrderFile'
import type { Order, OrderMessage } from './order-queries'

type Props = {
  message: OrderMessage
  currency: Order['currency']
  format: ReturnType<typeof useFormat>
  hasFiles?: boolean
}

/** A message of one side, an instance admin or Meydan. */
export function Message({ message, currency, format, hasFiles = true }: Props) {
  const { side, author, text, code, details, files, created_at } = message
  const { t } = useTranslation()
  const money = useMoney()
  const sideName = t(`orders.side_of.${side}`)
  return (
    <li>
      <Text fz="sm" c="dimmed">
        {author ? t('orders.author', { author, side: sideName }) : sideName} ·{' '}
        <span title={format.full(created_at)}>{format.ago(created_at)}</span>
      </Text>
      <Text className={classes.message} fs={code ? 'italic' : 'normal'}>
        {code ? t(`orders.message.${code}`, { defaultValue: code.replaceAll('_', ' ') }) : text}
        {details?.reason && `: ${details.reason}`}
        {details?.refund_amount !== undefined &&
          ` (${t('orders.amount_about', { amount: money(details.refund_amount, currency) })})`}
      </Text>
      {files.map((file) => (
        <OrderFile key={file.media_id} file={file} isReadable={hasFiles} />
      ))}
    </li>
  )
}
