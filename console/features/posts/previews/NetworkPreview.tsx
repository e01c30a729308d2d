import { type CSSProperties, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { firstLink } from '../../networks/characters'
import { NetworkLogo } from '../../networks/NetworkIcon'
import { ArticlePost } from './layouts/ArticlePost'
import { BubblePost } from './layouts/BubblePost'
import { FeedPost } from './layouts/FeedPost'
import { FullScreenPost } from './layouts/FullScreenPost'
import { MediaFirstPost } from './layouts/MediaFirstPost'
import classes from './previews.module.css'
import { type PreviewPart, type PreviewProps, type ShownPost, shownOptions } from './shown-post'

/** A post on one account as its readers see it there. */
export function NetworkPreview({ network, options, parts, ...post }: PreviewProps) {
  const { t } = useTranslation()
  const { name, icon, preview } = network
  const shown = useMemo(() => shownOptions(network.options, options), [network.options, options])
  const mediaWarning = shown.mediaWarning === true ? t('compose.preview_sensitive') : shown.mediaWarning || ''
  const linkOf = ({ text, hasFiles }: PreviewPart, index: number) => {
    if (!preview.link_card || hasFiles) return ''
    if (shown.hasCardLink) return index === 0 ? shown.cardLink : ''
    return shown.hasCard ? (firstLink(text) ?? '') : ''
  }
  const [first] = parts
  const isEmpty = !first?.text && !first?.excess && !first?.hasFiles && !shown.title
  const shownPost: ShownPost = {
    ...post,
    ...shown,
    mediaWarning,
    preview,
    parts: parts.map((part, index) => ({ ...part, link: linkOf(part, index) })),
  }
  const isReel = preview.one_video === 'reel' && first?.files.length === 1 && first.files[0]?.kind === 'video'
  const format = shown.format ?? (isReel ? 'reel' : undefined)
  // A server of a later version may send another layout while it is updated.
  const Layout = layouts[preview.layout] ?? FeedPost
  return (
    <article
      className={classes.preview}
      aria-label={`${post.account.name}, ${name}`}
      style={{ '--link-light': preview.link_color.light, '--link-dark': preview.link_color.dark } as CSSProperties}
    >
      <p className={classes.network}>
        <NetworkLogo icon={icon} size={16} />
        {name}
      </p>
      <div className={classes.frame} data-layout={format ? 'full_screen' : preview.layout}>
        {format ? <FullScreenPost post={shownPost} format={format} /> : <Layout post={shownPost} />}
        {isEmpty && preview.layout !== 'media_first' && !format && (
          <p className={classes.empty}>{t('compose.preview_empty')}</p>
        )}
      </div>
    </article>
  )
}

const layouts = {
  feed: FeedPost,
  chat: FeedPost,
  bubble: BubblePost,
  media_first: MediaFirstPost,
  article: ArticlePost,
}
