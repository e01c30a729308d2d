import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import { Check, Undo2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withMentionNames } from '../../../../shared/text/mentions'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormat } from '../../../ui/text/format'
import { LinkifiedText } from '../../../ui/text/LinkifiedText'
import { AccountAvatar } from '../../accounts/AccountAvatar'
import { NetworkLogo } from '../../networks/NetworkIcon'
import { ClientComments } from './ClientComments'
import classes from './client.module.css'
import type { Decisions } from './decide'
import type { ClientReview, ReviewedPost } from './queries'

type Props = {
  id: string
  review: ClientReview
  post: ReviewedPost
  decisions: Decisions
  onSeen: (content_version: string) => void
}

/** A post as its readers will see it, with the decision of the client. */
export function ClientPost({ id, review, post, decisions, onSeen }: Props) {
  const { t } = useTranslation()
  const format = useFormat(review.timezone)
  const [reason, setReason] = useState<string | null>(null)
  const held = decisions.heldOf(post)
  const error = decisions.errorOf(post.id)
  const state = held ? (held.reason === null ? 'approved' : 'change_requested') : post.state
  const undo = () => {
    setReason(held?.reason ?? null)
    decisions.undo(post.id)
  }
  // Its end was on the screen, above the bar.
  const { ref, entry } = useIntersection({ threshold: 1, rootMargin: '0px 0px -100px 0px' })
  const { content_version } = post
  useEffect(() => {
    if (!entry?.isIntersecting || !(entry.target instanceof HTMLElement)) return
    // The entry can be of the content before.
    if (entry.target.dataset.version === content_version) onSeen(content_version)
  }, [entry, onSeen, content_version])
  const label = post.targets[0]?.content.slice(0, 60) || t('client.post')
  return (
    <article className={classes.post} aria-label={label}>
      <Text fz="sm" c="dimmed" mb="xs">
        {post.scheduled_at ? (
          <time dateTime={post.scheduled_at}>{format.time(post.scheduled_at)}</time>
        ) : (
          t('client.no_time')
        )}
      </Text>
      <Stack gap="md">
        {post.targets.map((target) => (
          <TargetPreview key={target.account_id} {...{ id, review, post, target }} />
        ))}
      </Stack>
      <div key={content_version} ref={ref} data-version={content_version} />
      {error !== undefined && !held && <ProblemAlert error={error} />}
      {state === 'approved' && (
        <Group gap={6} mt="md" role="status">
          <Check size={20} aria-hidden="true" />
          <Text fw={600}>{t('client.approved')}</Text>
        </Group>
      )}
      {state === 'change_requested' && (
        <Alert mt="md" color="yellow" title={t('client.change_requested')}>
          {held ? held.reason : post.reason}
        </Alert>
      )}
      {held && held.seconds > 0 && (
        <Button mt="sm" size="md" variant="default" leftSection={<Undo2 size={18} />} onClick={undo}>
          {t('client.undo', { seconds: held.seconds })}
        </Button>
      )}
      {state === 'waiting' && review.may_decide && reason === null && (
        <Group grow mt="md" gap="sm">
          <Button size="lg" variant="default" px="xs" onClick={() => setReason('')}>
            {t('client.change')}
          </Button>
          <Button size="lg" leftSection={<Check size={18} />} onClick={() => decisions.decide([post], null)}>
            {t('client.approve')}
          </Button>
        </Group>
      )}
      {state === 'waiting' && reason !== null && (
        <form
          className={classes.change}
          onSubmit={(event) => {
            event.preventDefault()
            decisions.decide([post], reason)
            setReason(null)
          }}
        >
          <Textarea
            data-autofocus
            size="md"
            label={t('client.reason')}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            maxLength={1000}
            autosize
            minRows={3}
            required
          />
          <Group grow mt="sm" gap="sm">
            <Button size="lg" variant="default" onClick={() => setReason(null)}>
              {t('ui.cancel')}
            </Button>
            <Button size="lg" type="submit" disabled={!reason.trim()}>
              {t('client.send')}
            </Button>
          </Group>
        </form>
      )}
      <ClientComments {...{ id, review, post }} />
    </article>
  )
}

type TargetProps = Omit<Props, 'onSeen' | 'decisions'> & { target: ReviewedPost['targets'][number] }

/** Layouts of networks that show files above the text. */
const textLast = ['media_first', 'bubble']

function TargetPreview({ id, review, post, target }: TargetProps) {
  const { t } = useTranslation()
  const account = review.accounts.find((one) => one.id === target.account_id)
  const network = review.networks.find((one) => one.id === account?.network)
  const parts = [{ content: target.content, media_ids: target.media_ids }, ...target.thread]
  return (
    <section>
      {account && (
        <Group gap="sm" wrap="nowrap" mb={6}>
          <AccountAvatar
            id={account.id}
            name={account.name}
            picture={account.has_avatar ? `/api/v1/review/${id}/accounts/${account.id}/avatar` : null}
          />
          <div className={classes.account}>
            <Text truncate fw={650}>
              {account.name}
            </Text>
            <Text truncate c="dimmed" fz="sm">
              {network?.preview.handle_prefix}
              {account.handle}
            </Text>
          </div>
          {network && (
            <Group gap={6} wrap="nowrap" ml="auto">
              <NetworkLogo icon={network.icon} size={18} />
              <Text fz="sm" c="dimmed">
                {network.name}
              </Text>
            </Group>
          )}
        </Group>
      )}
      {parts.map((part, index) => {
        const text = (
          <Text key="text" className="text" dir="auto">
            <LinkifiedText text={withMentionNames(part.content)} />
          </Text>
        )
        const files = part.media_ids.map((media_id) => (
          <SeenFile key={media_id} id={id} file={post.media.find((one) => one.id === media_id)} />
        ))
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other key, and no state
          <div key={index} className={index > 0 ? classes.part : undefined}>
            {network && textLast.includes(network.preview.layout) ? [...files, text] : [text, ...files]}
          </div>
        )
      })}
      {target.first_comment && (
        <div className={classes.part}>
          <Text fz="sm" c="dimmed">
            {t('client.first_comment')}
          </Text>
          <Text className="text" dir="auto">
            <LinkifiedText text={withMentionNames(target.first_comment)} />
          </Text>
        </div>
      )}
      {network && <TargetOptions options={network.options} values={target.options} />}
    </section>
  )
}

type Option = ClientReview['networks'][number]['options'][number]

/** Settings of the network that are set, such as who can read the post. */
function TargetOptions({ options, values }: { options: readonly Option[]; values: Record<string, unknown> }) {
  const { t } = useTranslation()
  const textOf = ({ key, choices }: Option) => {
    const value = values[key]
    if (typeof value === 'boolean') return t(value ? 'client.yes' : 'client.no')
    if (Array.isArray(value)) return value.join(', ')
    return typeof value === 'string' ? (choices?.find((choice) => choice.value === value)?.label ?? value) : ''
  }
  const shown = options.flatMap((option) => {
    const text = textOf(option)
    return text ? [{ key: option.key, label: option.label, text }] : []
  })
  if (shown.length === 0) return null
  return (
    <dl className={classes.options}>
      {shown.map(({ key, label, text }) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd dir="auto">{text}</dd>
        </div>
      ))}
    </dl>
  )
}

function SeenFile({ id, file }: { id: string; file: ReviewedPost['media'][number] | undefined }) {
  const { t } = useTranslation()
  if (!file) return null
  const url = `/api/v1/review/${id}/media/${file.id}`
  const shape = file.width && file.height ? { aspectRatio: file.width / file.height } : {}
  return (
    <figure className={classes.file}>
      {file.kind === 'image' && <img src={`${url}/file`} alt={file.alt} loading="lazy" style={shape} />}
      {file.kind === 'video' && (
        <video
          src={`${url}/file`}
          controls
          playsInline
          preload="none"
          aria-label={file.alt || t('client.video')}
          style={shape}
          {...(file.has_thumbnail && { poster: `${url}/thumbnail` })}
        />
      )}
      {file.kind === 'document' && (
        <a href={`${url}/file`} download>
          {file.name}
        </a>
      )}
      {file.alt && (
        <Text component="figcaption" fz="xs" c="dimmed">
          {t('client.alt', { alt: file.alt })}
        </Text>
      )}
    </figure>
  )
}
