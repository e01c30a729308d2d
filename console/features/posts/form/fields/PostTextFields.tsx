import { Anchor, Group, Stack, Textarea } from '@mantine/core'
import { type ReactNode, type RefObject, useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Network } from '../../../../api'
import { EmojiButton } from '../../../../ui/fields/EmojiButton'
import { MediaAttachments } from '../../../media/attachments/MediaAttachments'
import { capabilitiesOf } from '../../../networks/characters'
import { AiButton } from '../AiButton'
import type { PostFields } from '../draft/post-draft'
import type { PostDestination, PostTexts } from '../form-values'
import { SuggestComment } from '../SuggestComment'
import { SnippetsButton } from '../snippets/SnippetsButton'
import type { SnippetPost } from '../snippets/snippet-place'
import { CharacterCounters } from './CharacterCounters'
import { PostTextarea } from './PostTextarea'
import { ThreadFields } from './ThreadFields'

/** Maximum number of parts after the post itself, as in the API. */
const MAX_THREAD = 24
/** Maximum length of an alternative text, as in the API. */
const MAX_ALT = 2000
/** Maximum number of characters that a model is asked for, where networks take more. */
const LONG_TEXT = 5000

export type TextField = keyof PostTexts

type Props = {
  texts: PostTexts
  /** The account whose version this is; without it, the version of the post. */
  account?: PostDestination
  publishedTo: (field: TextField) => PostDestination[]
  networks: Network[]
  /** The field into which snippets are inserted. */
  post: SnippetPost
  onChange: (change: Partial<PostTexts>) => void
  beginUpload: PostFields['beginUpload']
  /** The fields that the account has a version of its own of. */
  own?: Partial<PostTexts>
  /** Removes the account's own version of a field. */
  onReset?: (field: TextField) => void
  problem: (path: string) => string | undefined
  /** The text of an account, if it is not that of the post. */
  textOf?: (account: PostDestination) => string
  /** Shown below a text, and below files, a thread or a comment that not every account takes. */
  notice?: (field: TextField) => ReactNode
  textRef?: RefObject<HTMLTextAreaElement | null>
}

/** The text, files, thread and first comment of a post, or of its version for one account. */
export function PostTextFields({ texts, account, networks, post, own, problem, textRef, ...props }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const { content, media_ids, thread, first_comment } = texts
  const name = account?.name
  const rules = (field: TextField) => props.publishedTo(field).flatMap((one) => capabilitiesOf(one, networks) ?? [])
  const threadRules = rules('thread')
  const max = threadRules.length ? Math.max(...threadRules.map(({ max_parts }) => max_parts)) - 1 : MAX_THREAD
  const commentRules = rules('first_comment')
  const takesComment = commentRules.length === 0 ? !account : commentRules.some((one) => one.first_comment)
  const mediaRules = rules('media_ids')
  const takesMedia = mediaRules.length === 0 || mediaRules.some(({ media }) => media !== null)
  const maxAlt = Math.min(MAX_ALT, ...mediaRules.map(({ media }) => media?.max_alt_length ?? MAX_ALT))
  const limitOf = (field: TextField) => Math.min(LONG_TEXT, ...rules(field).map(({ max_length }) => max_length))
  const counters = (field: TextField) => (text: string, hasMedia: boolean) => (
    <CharacterCounters
      text={text}
      {...(field === 'content' && props.textOf && { textOf: props.textOf })}
      accounts={props.publishedTo(field)}
      networks={networks}
      hasMedia={hasMedia}
    />
  )
  const reset = (field: TextField) =>
    own?.[field] !== undefined && (
      <Anchor component="button" type="button" fz="sm" onClick={() => props.onReset?.(field)}>
        {t(`compose.reset_${field}`)}
      </Anchor>
    )
  const below = (left: ReactNode, field: TextField) => (
    <Group justify="space-between" mt={6} gap="xs">
      {left}
      {reset(field)}
    </Group>
  )
  return (
    <Stack gap="md">
      <MediaAttachments
        ids={media_ids}
        label={name === undefined ? t('compose.media') : t('compose.media_for', { name })}
        isOffered={takesMedia}
        onChange={(ids) => props.onChange({ media_ids: ids })}
        beginUpload={props.beginUpload}
        problem={(place) => problem(place === undefined ? 'media_ids' : `media_ids/${place}`)}
        maxAlt={maxAlt}
        below={
          <>
            {own?.media_ids && below(<span />, 'media_ids')}
            {props.notice?.('media_ids')}
          </>
        }
      >
        <PostTextarea
          accounts={props.publishedTo('content')}
          networks={networks}
          place={{ ...post, accounts: props.publishedTo('content') }}
          label={name === undefined ? t('compose.text') : t('compose.text_for', { name })}
          placeholder={t('compose.placeholder')}
          autosize
          minRows={account ? 4 : 6}
          maxRows={18}
          maxLength={65_536}
          dir="auto"
          ref={textRef}
          data-autofocus={textRef && true}
          id={`${id}-content`}
          value={content}
          onChange={(text) => props.onChange({ content: text })}
          error={problem('content')}
        />
        {below(counters('content')(content, media_ids.length > 0), 'content')}
        {props.notice?.('content')}
        <Group gap={4}>
          <EmojiButton field={`${id}-content`} />
          <SnippetsButton
            field={`${id}-content`}
            text={content}
            place={{ ...post, accounts: props.publishedTo('content') }}
          />
          <AiButton text={content} limit={limitOf('content')} onUse={(text) => props.onChange({ content: text })} />
        </Group>
      </MediaAttachments>
      {(max > 0 || thread.length > 0) && (
        <div>
          <ThreadFields
            thread={thread}
            accounts={props.publishedTo('thread')}
            networks={networks}
            plannedAt={post.plannedAt}
            takesMedia={takesMedia}
            maxAlt={maxAlt}
            max={Math.min(max, MAX_THREAD)}
            {...(name !== undefined && { account: name })}
            onChange={(parts) => props.onChange({ thread: parts })}
            beginUpload={props.beginUpload}
            problem={(path) => problem(path === undefined ? 'thread' : `thread/${path}`)}
            counters={counters('thread')}
          />
          {own?.thread && below(<span />, 'thread')}
          {props.notice?.('thread')}
        </div>
      )}
      {(takesComment || first_comment !== '') && (
        <div>
          <Textarea
            label={name === undefined ? t('compose.comment') : t('compose.comment_for', { name })}
            description={t('compose.comment_about')}
            autosize
            minRows={2}
            maxRows={8}
            maxLength={65_536}
            dir="auto"
            id={`${id}-comment`}
            value={first_comment}
            onChange={({ currentTarget }) => props.onChange({ first_comment: currentTarget.value })}
            error={problem('first_comment')}
          />
          <Group gap={4}>
            <EmojiButton field={`${id}-comment`} label={t('compose.emoji_comment')} />
            <SnippetsButton
              field={`${id}-comment`}
              label={t('snippets.button_comment')}
              text={first_comment}
              place={{ plannedAt: post.plannedAt, accounts: props.publishedTo('first_comment') }}
            />
            <SuggestComment
              text={content}
              limit={limitOf('first_comment')}
              onUse={(comment) => props.onChange({ first_comment: comment })}
            />
          </Group>
          {(first_comment || own?.first_comment !== undefined) &&
            below(counters('first_comment')(first_comment, false), 'first_comment')}
          {props.notice?.('first_comment')}
        </div>
      )}
    </Stack>
  )
}
