import { Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { countCharacters } from '../../../../../shared/text/counting'
import type { Network } from '../../../../api'
import { useFormat } from '../../../../ui/text/format'
import { capabilitiesOf, maxLengthOf } from '../../../networks/characters'
import { NetworkIcon } from '../../../networks/NetworkIcon'
import classes from '../../posts.module.css'
import type { PostDestination } from '../form-values'

/** The characters left on each network of the post; of several servers, on the one that takes the fewest. */
export function CharacterCounters({
  text,
  textOf = () => text,
  accounts,
  networks,
  hasMedia = false,
}: {
  text: string
  /** The text of an account, if it is not `text`. */
  textOf?: (account: PostDestination) => string
  accounts: PostDestination[]
  networks: Network[]
  hasMedia?: boolean
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const length = accounts.length === 0 ? countCharacters(text) : 0
  const left = new Map<string, number>()
  /** Networks that take no text with the settings of the post. */
  const textless = new Set<string>()
  for (const account of accounts) {
    const rules = capabilitiesOf(account, networks)
    if (!rules) continue
    const most = maxLengthOf(rules, hasMedia)
    if (most === 0) textless.add(account.network)
    left.set(
      account.network,
      Math.min(left.get(account.network) ?? Infinity, most - countCharacters(textOf(account), rules)),
    )
  }
  return (
    <Group gap="md" mih={22} role="group" aria-label={t('compose.counters')}>
      {[...left].map(([id, count]) => {
        const network = networks.find((one) => one.id === id)?.name ?? id
        return (
          <Group key={id} gap={6} wrap="nowrap" className={count < 0 ? classes.over : undefined}>
            <NetworkIcon network={id} size={15} />
            <Text fz="sm" className="tabular" inherit={count < 0}>
              {count < 0 && textless.has(id)
                ? t('compose.no_text_taken', { network })
                : count < 0
                  ? t('compose.over', { network, count: -count, number: format.number(-count) })
                  : t('compose.left', { network, count, number: format.number(count) })}
            </Text>
          </Group>
        )
      })}
      {accounts.length === 0 && (
        <Text fz="sm" c="dimmed">
          {t('compose.characters', { count: length, number: format.number(length) })}
        </Text>
      )}
    </Group>
  )
}
