import { Anchor, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Network, unwrap, workspaceApi } from '../../../../api'
import { useFormat } from '../../../../ui/text/format'
import { useWorkspace } from '../../../workspaces/queries'
import { type PostDestination, type PostDraft, toBody } from '../form-values'

/** Pause in typing after which the price is asked for, in milliseconds. */
const PAUSE_MS = 600

const pricesQuery = (workspace: string, body: ReturnType<typeof toBody>) =>
  queryOptions({
    queryKey: ['post-price', workspace, body],
    queryFn: async ({ signal }) =>
      (await unwrap(workspaceApi(workspace).POST('/api/v1/posts/validate', { body, signal }))).targets,
    retry: false,
    placeholderData: keepPreviousData,
  })

/** Two digits after the point at least, and fractions of a cent. */
const formatDollars = (locale: string, micros: number) =>
  new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    maximumFractionDigits: 3,
  }).format(micros / 1e6)

type Props = { draft: PostDraft; chosen: PostDestination[]; networks: Network[] }

/** The price of publishing the post at each network that charges for it. */
export function PostPrice({ draft, chosen, networks }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const { locale, date } = useFormat('UTC')
  const charging = networks.filter(({ id, pricing }) => pricing && chosen.some(({ network }) => network === id))
  const accounts = chosen.filter(({ network }) => charging.some(({ id }) => id === network)).map(({ id }) => id)
  const [asked] = useDebouncedValue(JSON.stringify(toBody({ ...draft, labels: [], accounts })), PAUSE_MS)
  const body: ReturnType<typeof toBody> = JSON.parse(asked)
  const { data: targets = [] } = useQuery({ ...pricesQuery(slug, body), enabled: body.targets.length > 0 })
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
