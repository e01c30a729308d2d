import { Stack, Text, Title } from '@mantine/core'
import { shallowEqual } from '@mantine/hooks'
import { memo, useDeferredValue } from 'react'
import { useTranslation } from 'react-i18next'
import { withMentionNames } from '../../../../shared/text/mentions'
import type { Network } from '../../../api'
import { useMediaRecords } from '../../media/attachments/useMediaRecords'
import { capabilitiesOf, splitAtLimit } from '../../networks/characters'
import type { PostDestination, PostTexts } from '../form/form-values'
import { NetworkPreview } from './NetworkPreview'
import classes from './previews.module.css'

type Previewed = { account: PostDestination; texts: PostTexts }

/** The post on each account as readers will see it. Follows the typing without holding it up. */
export function PostPreview({ accounts, networks }: { accounts: Previewed[]; networks: Network[] }) {
  const { t } = useTranslation()
  const shown = useDeferredValue(accounts)
  return (
    <Stack component="section" aria-labelledby="preview" gap="md">
      <Title order={2} size="h4" c="dimmed" id="preview">
        {t('compose.preview')}
      </Title>
      {shown.length === 0 && (
        <Text c="dimmed" className={classes.frame}>
          {t('compose.preview_none')}
        </Text>
      )}
      {shown.map((previewed) => (
        <AccountPreview key={previewed.account.id} {...previewed} networks={networks} />
      ))}
    </Stack>
  )
}

type Props = Previewed & { networks: Network[] }

const NO_OPTIONS = {}

/** The post on one account. */
export const AccountPreview = memo(
  function AccountPreview({ account, texts, networks }: Props) {
    const network = networks.find(({ id }) => id === account.network)
    const rules = capabilitiesOf(account, networks)
    const { content, media_ids, thread, first_comment } = texts
    const written = [{ content, media_ids }, ...thread]
    const files = useMediaRecords([...new Set(written.flatMap((part) => part.media_ids))])
    // A server of an earlier version sends no appearance while it is updated.
    if (!network?.preview.link_color || !rules)
      return (
        <article className={classes.frame} aria-label={account.name}>
          <b>{account.name}</b>
          <p className={classes.text}>{content}</p>
        </article>
      )
    const parts = written.slice(0, rules.max_parts).map((part) => {
      const taken = part.media_ids.flatMap((id) => files.find((file) => file.id === id) ?? [])
      const hasFiles = part.media_ids.length > 0
      const [text, excess] = splitAtLimit(withMentionNames(part.content), rules, hasFiles)
      return { text, excess, files: taken.filter(({ kind }) => rules.media?.kinds[kind]), hasFiles }
    })
    return (
      <NetworkPreview
        account={account}
        network={network}
        options={account.options ?? NO_OPTIONS}
        parts={parts}
        comment={rules.first_comment ? withMentionNames(first_comment) : ''}
        hasThreads={rules.max_parts > 1}
      />
    )
  },
  (before, after) =>
    before.networks === after.networks &&
    shallowEqual(before.account, after.account) &&
    shallowEqual(before.texts, after.texts),
)
