import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { useFormat } from '../../../ui/text/format'
import { accountsQuery } from '../../accounts/queries'
import { useWorkspace } from '../../workspaces/queries'
import { nextSlotQuery } from './queries'

/** The time at which a post for these accounts would be published, or what is missing. */
export function NextSlot({ accounts }: { accounts: string[] }) {
  const { t } = useTranslation()
  const { slug, timezone } = useWorkspace()
  const format = useFormat(timezone)
  const slot = useQuery(nextSlotQuery(slug, accounts)).data
  const [first] = accounts
  const isPaused = useQuery(accountsQuery(slug)).data?.some(
    ({ id, queue_paused }) => queue_paused && accounts.includes(id),
  )
  const text =
    first === undefined
      ? t('queue.no_account')
      : slot === undefined
        ? t('queue.searching')
        : slot.time
          ? t('queue.next', { time: format.full(slot.time) })
          : t(slot.code === 'queue_full' ? 'problem.queue_full' : 'problem.no_posting_times')
  return (
    <Text fw={600} role="status">
      {text}{' '}
      {first !== undefined && slot?.time === null && (
        <AnchorLink to="/w/$workspace/accounts/$account/queue" params={{ workspace: slug, account: first }}>
          {t('queue.set_times')}
        </AnchorLink>
      )}
      {isPaused && (
        <Text span c="dimmed" fw={400} display="block">
          {t('queue.next_paused')}
        </Text>
      )}
    </Text>
  )
}
