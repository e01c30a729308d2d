import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../ui/text/format'
import classes from '../media.module.css'
import { Thumbnail } from '../Thumbnail'
import { useMediaRecords } from './useMediaRecords'

/** Maximum number of files shown, as networks do before a post is opened. */
const SHOWN = 4

/** The files of a post as networks show them: one large, two side by side, four in a grid. */
export function PreviewGrid({ ids }: { ids: readonly string[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const records = useMediaRecords(ids)
  if (records.length === 0) return null
  const shown = records.slice(0, SHOWN)
  const rest = records.length - shown.length
  return (
    <div className={classes.preview} data-count={shown.length}>
      {shown.map((media, place) => (
        <div
          key={media.id}
          style={shown.length === 1 && media.width && media.height ? { aspectRatio: media.width / media.height } : {}}
        >
          {shown.length === 1 && media.kind === 'image' ? (
            <img src={media.url} alt={media.alt} />
          ) : (
            <Thumbnail {...media} />
          )}
          {rest > 0 && place === SHOWN - 1 && (
            <span className={classes.rest}>{t('compose.more_files', { number: format.number(rest) })}</span>
          )}
        </div>
      ))}
    </div>
  )
}
