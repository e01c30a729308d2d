import { Globe } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { AccountAvatar } from '../../../accounts/AccountAvatar'
import { ActionBar } from '../ActionBar'
import { ContentWarning, MediaWarning } from '../ContentWarning'
import { LinkCard } from '../LinkCard'
import { PreviewFiles } from '../PreviewFiles'
import { PreviewText } from '../PreviewText'
import { avatarOf, nameIn, type ShownPost } from '../shown-post'
import classes from './layouts.module.css'

type Props = { post: ShownPost }

/** A post of a feed or a chat: the text beside or below the avatar, the parts of a thread joined. */
export function FeedPost({ post }: Props) {
  const { t } = useTranslation()
  const { parts, comment, preview, hasThreads, title, contentWarning } = post
  return (
    <>
      {title && <b className={classes.topic}>{title}</b>}
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other key
        <FeedPart key={index} post={post} part={part} index={index} goesOn={index < parts.length - 1} />
      ))}
      {comment && (
        <section
          className={classes.comment}
          aria-label={t('compose.comment_preview')}
          data-boxed={!hasThreads || undefined}
        >
          <AccountAvatar {...avatarOf(post)} size={28} />
          <div className={classes.commentText}>
            <b className={classes.name}>{nameIn(post)}</b>
            <ContentWarning warning={contentWarning}>
              <PreviewText text={comment} preview={preview} isWhole />
            </ContentWarning>
          </div>
        </section>
      )}
    </>
  )
}

type PartProps = Props & { part: ShownPost['parts'][number]; index: number; goesOn: boolean }

function FeedPart({ post, part, index, goesOn }: PartProps) {
  const { preview, parts, contentWarning, mediaWarning, notes, mediaTitle, hasCardLink } = post
  const isChat = preview.layout === 'chat'
  return (
    <div
      className={classes.part}
      // Threads are indented everywhere, so that a line can join their parts.
      data-indented={preview.is_indented || parts.length > 1 || undefined}
      data-goes-on={(goesOn && !isChat) || undefined}
      data-follows={(index > 0 && isChat) || undefined}
    >
      <span className={classes.avatar} data-shape={preview.avatar}>
        <AccountAvatar {...avatarOf(post)} size={40} />
      </span>
      <Byline post={post} />
      <div className={classes.body}>
        <ContentWarning warning={contentWarning}>
          {(part.text || part.excess) && <PreviewText {...part} preview={preview} />}
          <MediaWarning warning={part.files.length > 0 ? mediaWarning : ''}>
            <PreviewFiles files={part.files} arrangement={preview.files} title={mediaTitle} />
          </MediaWarning>
          {part.link && preview.link_card && (
            <LinkCard link={part.link} style={preview.link_card} title={mediaTitle} isFromPost={hasCardLink} />
          )}
        </ContentWarning>
        {index === 0 && notes.length > 0 && <p className={classes.notes}>{notes.join(' · ')}</p>}
        <ActionBar preview={preview} />
      </div>
    </div>
  )
}

/** The name, with handle and time beside or below it. */
function Byline({ post }: Props) {
  const { t } = useTranslation()
  const { preview, account, topic } = post
  const { byline, layout } = preview
  const isBelow = byline.endsWith('_below')
  const handle =
    byline.startsWith('handle_') && byline !== 'handle_alone' && `${preview.handle_prefix}${account.handle}`
  const isPublic = byline === 'time_below' && layout === 'feed'
  return (
    <div className={classes.byline} data-below={isBelow || undefined}>
      <span className={classes.nameLine}>
        <b className={classes.name} dir="auto">
          {nameIn(post)}
        </b>
        {topic && <span className={classes.topicTag}>› {topic}</span>}
        {layout === 'chat' && <span className={classes.app}>{t('compose.preview_app')}</span>}
      </span>
      <span className={classes.about}>
        {handle && <span className={classes.handle}>{handle}</span>}
        {handle && <span aria-hidden="true">·</span>}
        <span>{t('compose.preview_now')}</span>
        {isPublic && <span aria-hidden="true">·</span>}
        {isPublic && <Globe size={13} aria-hidden="true" />}
      </span>
    </div>
  )
}
