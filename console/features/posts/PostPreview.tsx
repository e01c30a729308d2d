import { Avatar, Group, Stack, Text, Title } from '@mantine/core'
import { Ellipsis, Heart, MessageCircle, Repeat2 } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { countCharacters } from '../../ui/text/format'
import { LinkifiedText } from '../../ui/text/LinkifiedText'
import { NetworkIcon } from '../accounts/NetworkIcon'
import type { PostDestination } from './form-values'
import classes from './posts.module.css'

type Previewed = { account: PostDestination; text: string; limit: number | undefined }

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
  const [fits, cut] = useMemo(() => splitAtLimit(text, limit), [text, limit])
  return (
    <article className={classes.preview} aria-label={account.name}>
      <Group wrap="nowrap" align="flex-start" gap="sm">
        <Avatar name={account.name} aria-hidden="true" />
        <div style={{ minWidth: 0, flex: 1 }}>
          <Group justify="space-between" wrap="nowrap">
            <Text truncate>
              <Text span fw={650}>
                {account.name}
              </Text>{' '}
              <Text span c="dimmed" fz="sm">
                @{account.handle}
              </Text>
            </Text>
            <NetworkIcon network={account.network} size={18} />
          </Group>
          <Text className="text" mt={2} c={text ? undefined : 'dimmed'}>
            {text ? <LinkifiedText text={fits} /> : t('compose.preview_empty')}
            {cut && <del className={classes.cut}>{cut}</del>}
          </Text>
          {account.network === 'bluesky' && (
            <Group c="dimmed" justify="space-between" maw={300} mt="sm" aria-hidden="true">
              <MessageCircle size={16} />
              <Repeat2 size={16} />
              <Heart size={16} />
              <Ellipsis size={16} />
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
