import { Text, VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './media.module.css'
import type { Media } from './queries'
import { Thumbnail } from './Thumbnail'

type Props = {
  files: readonly Media[]
  onOpen: (media: Media) => void
  /** Ids of the chosen files, if the grid is for choosing. */
  chosen?: ReadonlySet<string>
}

/** Files as images. Each is a button with the name of the file. */
export function MediaGrid({ files, onOpen, chosen }: Props) {
  const { t } = useTranslation()
  return (
    <ul className={classes.grid}>
      {files.map((media) => (
        <li key={media.id}>
          <button
            type="button"
            className={classes.item}
            {...(chosen && { 'aria-pressed': chosen.has(media.id) })}
            onClick={() => onOpen(media)}
          >
            <Thumbnail {...media} isDecorative />
            <span className={classes.caption}>
              <span dir="auto">{media.name}</span>
              <VisuallyHidden>, {t(`media.kind.${media.kind}`)}</VisuallyHidden>
              {!media.alt && media.kind !== 'document' && (
                <Text span fz="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }} title={t('media.no_alt')}>
                  {t('media.no_alt_short')}
                </Text>
              )}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
