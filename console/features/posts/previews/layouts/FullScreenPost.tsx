import { Image } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { AccountAvatar } from '../../../accounts/AccountAvatar'
import { ActionBar } from '../ActionBar'
import { Tile } from '../PreviewFiles'
import { PreviewText } from '../PreviewText'
import { avatarOf, nameIn, type ShownPost } from '../shown-post'
import classes from './layouts.module.css'

/** Two lines of a caption lie on a reel. */
const REEL_FOLD = { characters: 72, lines: 2 }

/** A story or a reel: one file that fills the screen of a phone. */
export function FullScreenPost({ post, format }: { post: ShownPost; format: 'reel' | 'story' }) {
  const { t } = useTranslation()
  const { parts, preview, comment } = post
  const [part] = parts
  const [file] = part?.files ?? []
  const name = (
    <div className={classes.screenName}>
      <AccountAvatar {...avatarOf(post)} size={30} />
      <b className={classes.name}>{nameIn(post)}</b>
      {format === 'story' && <span>{t('compose.preview_now')}</span>}
    </div>
  )
  return (
    <>
      <section className={classes.screen} data-format={format} aria-label={t(`compose.preview_${format}`)}>
        {file && <Tile file={file} isLarge />}
        {!part?.hasFiles && (
          <div className={classes.noFile}>
            <Image size={32} strokeWidth={1.25} aria-hidden="true" />
            {t('compose.preview_no_file')}
          </div>
        )}
        {format === 'story' && (
          <div className={classes.screenTop}>
            <i className={classes.progress} aria-hidden="true" />
            {name}
          </div>
        )}
        {format === 'reel' && (
          <div className={classes.screenBottom}>
            {name}
            {part && (part.text || part.excess) && <PreviewText {...part} preview={{ ...preview, fold: REEL_FOLD }} />}
          </div>
        )}
        {format === 'reel' && <ActionBar preview={{ ...preview, action_labels: false }} />}
      </section>
      {comment && format === 'reel' && (
        <section className={classes.screenComment} aria-label={t('compose.comment_preview')}>
          <PreviewText text={comment} preview={preview} isWhole before={nameIn(post)} />
        </section>
      )}
    </>
  )
}
