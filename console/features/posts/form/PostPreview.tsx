import { Group, Stack, Text, Title } from '@mantine/core'
import { Ellipsis, Heart, type LucideIcon, MessageCircle, Repeat2 } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Network } from '../../../api'
import { LinkifiedText } from '../../../ui/text/LinkifiedText'
import { AccountAvatar } from '../../accounts/AccountAvatar'
import { countCharacters } from '../../networks/characters'
import { NetworkIcon } from '../../networks/NetworkIcon'
import { handleOn, useNetwork } from '../../networks/queries'
import classes from '../posts.module.css'
import type { PostDestination } from './form-values'

type Previewed = { account: PostDestination; text: string; limit: number | undefined }

const actionIcons: Record<Network['preview']['actions'][number], LucideIcon> = {
  reply: MessageCircle,
  repost: Repeat2,
  like: Heart,
  more: Ellipsis,
}

/** The post on each account as readers will see it; text beyond the limit is struck out. */
export function PostPreview({ accounts }: { accounts: Previewed[] }) {
  const { t } = useTranslation()
  return (
    <Stack component="section" aria-labelledby="preview" gap="sm">
      <Title order={2} size="h4" c="dimmed" id="preview">
        {t('compose.preview')}
      </Title>
      {accounts.length === 0 && (
        <Text c="dimmed" className={classes.preview}>
          {t('compose.preview_none')}
        </Text>
      )}
      {accounts.map((previewed) => (
        <NetworkPreview key={previewed.account.id} {...previewed} />
      ))}
    </Stack>
  )
}

function NetworkPreview({ account, text, limit }: Previewed) {
  const { t } = useTranslation()
  const network = useNetwork(account.network)
  const actions = network?.preview.actions ?? []
  const [fits, cut] = useMemo(() => splitAtLimit(text, limit), [text, limit])
  return (
    <article className={classes.preview} aria-label={account.name}>
      <Group wrap="nowrap" align="flex-start" gap="sm">
        <AccountAvatar id={account.id} name={account.name} />
        <div style={{ minWidth: 0, flex: 1 }}>
          <Group justify="space-between" wrap="nowrap">
            <Text truncate>
              <Text span fw={650}>
                {account.name}
              </Text>{' '}
              <Text span c="dimmed" fz="sm">
                {handleOn(network, account.handle)}
              </Text>
            </Text>
            <NetworkIcon network={account.network} size={18} />
          </Group>
          <Text className="text" dir="auto" mt={2} c={text ? undefined : 'dimmed'}>
            {text ? <LinkifiedText text={fits} /> : t('compose.preview_empty')}
            {cut && <del className={classes.cut}>{cut}</del>}
          </Text>
          {actions.length > 0 && (
            <Group c="dimmed" justify="space-between" maw={300} mt="sm" aria-hidden="true">
              {actions.map((action) => {
                const Icon = actionIcons[action]
                return <Icon key={action} size={16} />
              })}
            </Group>
          )}
        </div>
      </Group>
    </article>
  )
}

/** Splits a text at a network's limit. */
function splitAtLimit(text: string, limit: number | undefined): [string, string] {
  if (limit === undefined || text.length <= limit || countCharacters(text) <= limit) return [text, '']
  const parts = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
  return [parts.slice(0, limit).join(''), parts.slice(limit).join('')]
}
