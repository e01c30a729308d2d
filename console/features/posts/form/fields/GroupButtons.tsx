import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { accountGroupsQuery } from '../../../accounts/groups/queries'
import { useWorkspace } from '../../../workspaces/queries'
import type { PostDestination } from '../form-values'

type Props = { accounts: PostDestination[]; chosen: string[]; onChange: (ids: string[]) => void }

/** A button for each group of accounts, which chooses all that are available, and takes them back when pressed again. */
export function GroupButtons({ accounts, chosen, onChange }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const groups = useQuery(accountGroupsQuery(slug)).data ?? []
  const shown = groups.filter(({ account_ids }) => account_ids.length > 0)
  if (shown.length === 0) return null
  return (
    <Group gap="xs" role="group" aria-label={t('account_groups.choose')}>
      {shown.map(({ id, name, account_ids }) => {
        const available = account_ids.filter((account_id) =>
          accounts.some((account) => account.id === account_id && account.status !== 'disconnected'),
        )
        const isChosen = available.length > 0 && available.every((account_id) => chosen.includes(account_id))
        const missing = account_ids.length - available.length
        return (
          <Button
            key={id}
            size="compact-sm"
            variant={isChosen ? 'light' : 'default'}
            leftSection={<Users size={15} aria-hidden="true" />}
            aria-pressed={isChosen}
            disabled={available.length === 0}
            onClick={() =>
              onChange(
                isChosen
                  ? chosen.filter((account_id) => !available.includes(account_id))
                  : [...new Set([...chosen, ...available])],
              )
            }
          >
            <span dir="auto">{name}</span>
            {missing > 0 && (
              <Text span inherit ml={6} c="var(--mantine-color-error)">
                {t('account_groups.unavailable', { count: missing })}
              </Text>
            )}
          </Button>
        )
      })}
    </Group>
  )
}
