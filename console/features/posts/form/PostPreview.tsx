import { Group, Stack, Text, Title } from '@mantine/core'
import { Ellipsis, Heart, type LucideIcon, MessageCircle, Repeat2 } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { withMentionNames } from '../../../../shared/text/mentions'
import type { Network } from '../../../api'
import { LinkifiedText } from '../../../ui/text/LinkifiedText'
import { AccountAvatar } from '../../accounts/AccountAvatar'
import { PreviewGrid } from '../../media/attachments/PreviewGrid'
import { type AccountRules, capabilitiesOf, splitAtLimit } from '../../networks/characters'
import { NetworkIcon } from '../../networks/NetworkIcon'
import { handleOn } from '../../networks/queries'
import classes from '../posts.module.css'
import type { PostDestination, PostTexts } from './form-values'
import { LinkCardPreview } from './LinkCardPreview'

type Previewed = { account: PostDestination; texts: PostTexts }

const actionIcons: Record<Network['preview']['actions'][number], LucideIcon> = {
  reply: MessageCircle,
  repost: Repeat2,
  like: Heart,
  more: Ellipsis,
}

/** The post on each account as readers will see it; text beyond the limit is struck out. */
export function PostPreview({ accounts, networks }: { accounts: Previewed[]; networks: Network[] }) {
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
        <NetworkPreview key={previewed.account.id} {...previewed} networks={networks} />
      ))}
    </Stack>
  )
}

function NetworkPreview({ account, texts, networks }: Previewed & { networks: Network[] }) {
  const { t } = useTranslation()
  const network = networks.find(({ id }) => id === account.network)
  const rules = capabilitiesOf(account, networks)
  const { content, media_ids, thread, first_comment } = texts
  const parts = [{ content, media_ids }, ...thread]
  return (
    <article className={classes.preview} aria-label={account.name}>
      {parts.map((part, index) => (
        <PreviewedPart
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other key, and no state
          key={index}
          account={account}
          network={network}
          text={part.content}
          media={rules?.media === null ? [] : part.media_ids}
          rules={rules}
          isFirst={index === 0}
          goesOn={index < parts.length - 1}
        />
      ))}
      {first_comment && (
        <section className={classes.previewComment} aria-label={t('compose.comment_preview')}>
          <PreviewedPart account={account} network={network} text={first_comment} rules={rules} isComment />
        </section>
      )}
    </article>
  )
}

type PartProps = {
  account: PostDestination
  network: Network | undefined
  text: string
  /** Ids of files. */
  media?: readonly string[]
  rules: AccountRules | undefined
  isFirst?: boolean
  isComment?: boolean
  /** Whether another part of the thread follows. */
  goesOn?: boolean
}

function PreviewedPart({ account, network, text, media = [], rules, isFirst, isComment, goesOn }: PartProps) {
  const { t } = useTranslation()
  const actions = isComment ? [] : (network?.preview.actions ?? [])
  const hasMedia = media.length > 0
  const [fits, cut] = useMemo(() => splitAtLimit(withMentionNames(text), rules, hasMedia), [text, rules, hasMedia])
  return (
    <div className={classes.previewPart} data-goes-on={goesOn || undefined}>
      <AccountAvatar
        id={account.id}
        name={account.name}
        size={isComment ? 26 : 38}
        {...(isFirst && { network: account.network })}
      />
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
          {isFirst && <NetworkIcon network={account.network} size={18} />}
        </Group>
        <Text className="text" dir="auto" mt={2} c={text ? undefined : 'dimmed'}>
          {text ? <LinkifiedText text={fits} /> : !hasMedia && t('compose.preview_empty')}
          {cut && <del className={classes.cut}>{cut}</del>}
        </Text>
        <PreviewGrid ids={media} />
        {rules?.link_card && !hasMedia && !isComment && <LinkCardPreview text={fits} />}
        {actions.length > 0 && (
          <Group c="dimmed" justify="space-between" maw={300} mt="sm" aria-hidden="true">
            {actions.map((action) => {
              const Icon = actionIcons[action]
              return <Icon key={action} size={16} />
            })}
          </Group>
        )}
      </div>
    </div>
  )
}
