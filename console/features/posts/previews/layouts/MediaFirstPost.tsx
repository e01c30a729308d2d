import { Ellipsis, Image } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../../ui/text/format'
import { AccountAvatar } from '../../../accounts/AccountAvatar'
import { ActionBar } from '../ActionBar'
import { PreviewFiles } from '../PreviewFiles'
import { PreviewText } from '../PreviewText'
import { avatarOf, nameIn, type ShownPost } from '../shown-post'
import classes from './layouts.module.css'

/** Files from edge to edge, then the caption with the name before it. */
export function MediaFirstPost({ post }: { post: ShownPost }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { parts, preview, comment, authors, mediaTitle } = post
  const [part] = parts
  if (!part) return null
  const name = nameIn(post)
  return (
    <>
      <div className={classes.mediaHeader}>
        <AccountAvatar {...avatarOf(post)} size={32} />
        <b className={classes.name}>{format.list([name, ...authors.map((author) => author.replace(/^@/, ''))])}</b>
        <Ellipsis size={18} aria-hidden="true" />
      </div>
      {part.hasFiles ? (
        <PreviewFiles files={part.files} arrangement={preview.files} title={mediaTitle} />
      ) : (
        <div className={classes.noFile}>
          <Image size={32} strokeWidth={1.25} aria-hidden="true" />
          {t('compose.preview_no_file')}
        </div>
      )}
      <ActionBar preview={preview} />
      {(part.text || part.excess) && <PreviewText {...part} preview={preview} before={name} />}
      {comment && (
        <section aria-label={t('compose.comment_preview')}>
          <PreviewText text={comment} preview={preview} isWhole before={name} />
        </section>
      )}
      <p className={classes.notes}>{t('compose.preview_now')}</p>
    </>
  )
}
