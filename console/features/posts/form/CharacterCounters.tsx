import { Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Network } from '../../../api'
import { useFormat } from '../../../ui/text/format'
import { countCharacters } from '../../networks/characters'
import { NetworkIcon } from '../../networks/NetworkIcon'
import classes from '../posts.module.css'
import type { PostDestination } from './form-values'

/** The characters left on each network of the post. */
export function CharacterCounters({
  text,
  accounts,
  networks,
}: {
  text: string
  accounts: PostDestination[]
  networks: Network[]
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const length = accounts.length === 0 ? countCharacters(text) : 0
  const counted = networks.filter(({ id }) => accounts.some(({ network }) => network === id))
  return (
    <Group gap="md" mt={6} mih={22} role="group" aria-label={t('compose.counters')}>
      {counted.map(({ id, name, capabilities }) => {
        const left = capabilities.max_length - countCharacters(text, capabilities)
        return (
          <Group key={id} gap={6} wrap="nowrap" className={left < 0 ? classes.over : undefined}>
            <NetworkIcon network={id} size={15} />
            <Text fz="sm" className="tabular" inherit={left < 0}>
              {left < 0
                ? t('compose.over', { network: name, count: -left, number: format.number(-left) })
                : t('compose.left', { network: name, number: format.number(left), count: left })}
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
