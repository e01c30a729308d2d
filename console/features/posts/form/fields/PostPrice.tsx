import { Anchor, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Network } from '../../../../api'
import type { components } from '../../../../api.gen'
import { useFormat } from '../../../../ui/text/format'
import type { PostDestination } from '../form-values'

/** Two digits after the point at least, and fractions of a cent. */
const formatDollars = (locale: string, micros: number) =>
  new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    maximumFractionDigits: 3,
  }).format(micros / 1e6)

type Props = {
  targets: components['schemas']['Validation']['targets']
  chosen: PostDestination[]
  networks: Network[]
}

/** The price of publishing the post at each network that charges for it. */
export function PostPrice({ targets, chosen, networks }: Props) {
  const { t } = useTranslation()
  const { locale, date } = useFormat('UTC')
  const charging = networks.filter(({ id, pricing }) => pricing && chosen.some(({ network }) => network === id))
  const accounts = chosen.filter(({ network }) => charging.some(({ id }) => id === network)).map(({ id }) => id)
  const prices = charging.flatMap(({ id, name, pricing }) => {
    const ofNetwork = targets.filter(({ network, account_id }) => network === id && accounts.includes(account_id))
    const micros = ofNetwork.reduce((sum, { price_usd_micros }) => sum + (price_usd_micros ?? 0), 0)
    return pricing && ofNetwork.length > 0 ? [{ id, name, micros, pricing }] : []
  })
  if (prices.length === 0) return null
  return (
    <div role="status">
      {prices.map(({ id, name, micros, pricing }) => (
        <Text key={id} fz="sm">
          <Text span inherit fw={600}>
            {t('compose.price', { price: formatDollars(locale, micros), network: name })}
          </Text>{' '}
          <Text span inherit c="dimmed">
            {pricing.is_changed ? t('compose.price_set') : t('compose.price_of', { date: date(pricing.as_of) })}
          </Text>{' '}
          <Anchor href={pricing.source} target="_blank" rel="noreferrer" inherit>
            {t('compose.price_source')}
          </Anchor>
        </Text>
      ))}
    </div>
  )
}
