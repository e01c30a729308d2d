import { FileText, Film, ImageOff } from 'lucide-react'
import { useState } from 'react'
import classes from './media.module.css'
import type { Media } from './queries'

type Props = Pick<Media, 'kind' | 'alt' | 'placeholder'> & {
  thumbnail_url: string | null
  /** Whether a text beside it already names the file. */
  isDecorative?: boolean
}

/** The small image of a file, or an icon for its kind. A blurred image is shown until it is loaded. */
export function Thumbnail({ kind, alt, placeholder, thumbnail_url, isDecorative = false }: Props) {
  const [failed, setFailed] = useState(false)
  const Icon = kind === 'video' ? Film : kind === 'document' ? FileText : ImageOff
  return (
    <span
      className={classes.thumbnail}
      style={placeholder ? { backgroundImage: `url("${placeholder}")` } : undefined}
      data-kind={kind}
    >
      {thumbnail_url && !failed ? (
        <img src={thumbnail_url} alt={isDecorative ? '' : alt} loading="lazy" onError={() => setFailed(true)} />
      ) : (
        !placeholder && <Icon size={28} aria-hidden="true" />
      )}
      {kind === 'video' && (
        <span className={classes.video} aria-hidden="true">
          <Film size={14} />
        </span>
      )}
    </span>
  )
}
