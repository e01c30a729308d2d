import { useTranslation } from 'react-i18next'
import { titleAndBody } from '../../../../../shared/text/title-and-body'
import { PreviewFiles } from '../PreviewFiles'
import { PreviewText } from '../PreviewText'
import type { ShownPost } from '../shown-post'
import classes from './layouts.module.css'

/** An article: its title, its text in paragraphs, and its files. */
export function ArticlePost({ post }: { post: ShownPost }) {
  const { t } = useTranslation()
  const { parts, preview, account, tags } = post
  const [part] = parts
  if (!part) return null
  const { title, body } = titleAndBody(part.text, post.title)
  const featured =
    preview.files === 'featured' ? part.files.find(({ kind }) => kind === 'image' || kind === 'gif') : undefined
  return (
    <>
      <p className={classes.notes} dir="auto">
        {account.name}
      </p>
      {title && (
        <b className={classes.articleTitle} dir="auto">
          {title}
        </b>
      )}
      <p className={classes.notes}>{t('compose.preview_now')}</p>
      {featured && <PreviewFiles files={[featured]} arrangement="featured" title="" />}
      {(body || part.excess) && <PreviewText text={body} excess={part.excess ?? ''} preview={preview} />}
      <PreviewFiles files={part.files.filter((file) => file !== featured)} arrangement={preview.files} title="" />
      {tags.length > 0 && (
        <p className={classes.tags}>
          {[...new Set(tags)].map((tag) => (
            <span key={tag}>{tag}</span>
          ))}
        </p>
      )}
    </>
  )
}
