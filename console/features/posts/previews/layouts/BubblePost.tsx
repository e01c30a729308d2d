import { Eye } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { LinkCard } from '../LinkCard'
import { PreviewFiles } from '../PreviewFiles'
import { PreviewText } from '../PreviewText'
import type { ShownPost } from '../shown-post'
import classes from './layouts.module.css'

/** Messages of a channel: each in a bubble, its text as the caption below its files. */
export function BubblePost({ post }: { post: ShownPost }) {
  const { t } = useTranslation()
  const { parts, preview, account, mediaTitle } = post
  return parts.map((part, index) => (
    <div
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other key
      key={index}
      className={classes.bubble}
    >
      <b className={classes.sender} dir="auto">
        {account.name}
      </b>
      <PreviewFiles files={part.files} arrangement={preview.files} title={mediaTitle} />
      {(part.text || part.excess) && <PreviewText {...part} preview={preview} />}
      {part.link && preview.link_card && <LinkCard link={part.link} style={preview.link_card} />}
      <span className={classes.sent}>
        <Eye size={13} aria-hidden="true" />
        {t('compose.preview_now')}
      </span>
    </div>
  ))
}
