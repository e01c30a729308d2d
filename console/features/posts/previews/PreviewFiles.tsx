import { FileText, ImageOff, Play } from 'lucide-react'
import { type CSSProperties, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Network } from '../../../api'
import { useFormat } from '../../../ui/text/format'
import classes from './files.module.css'
import type { PreviewFile } from './shown-post'

type Arrangement = Network['preview']['files']

/** Numbers of files that readers see before they open a post; the last one names how many more there are. */
const shownFiles: Partial<Record<Arrangement, number>> = { grid: 4, collage: 5, mosaic: 10 }

/** Limits of width divided by height for a file that stands alone; a taller or wider one is cropped. */
const aspects: Record<Arrangement, [min: number, max: number]> = {
  grid: [0.75, 2],
  // 4:5 and 1.91:1, as for photos in the feed.
  collage: [0.8, 1.91],
  carousel: [0.8, 1.91],
  mosaic: [0.6, 2.5],
  row: [0.7, 2],
  featured: [0.75, 2.2],
}

const aspectOf = ({ width, height }: PreviewFile, arrangement: Arrangement) => {
  const [min, max] = aspects[arrangement]
  return Math.min(max, Math.max(min, width && height ? width / height : 16 / 9))
}

type Props = {
  files: readonly PreviewFile[]
  arrangement: Arrangement
  /** Title of a document. */
  title: string
}

/** The files of a post, arranged as on the network. */
export function PreviewFiles({ files, arrangement, title }: Props) {
  const documents = files.filter(({ kind }) => kind === 'document')
  const visible = files.filter(({ kind }) => kind !== 'document')
  return (
    <>
      {visible.length > 0 && <Visible files={visible} arrangement={arrangement} />}
      {documents.map((file) => (
        <Document key={file.id} file={file} title={title || file.name || ''} hasPages={arrangement === 'collage'} />
      ))}
    </>
  )
}

function Visible({ files, arrangement }: Omit<Props, 'title'>) {
  const { t } = useTranslation()
  const format = useFormat()
  const [first] = files
  if (!first) return null
  if (arrangement === 'carousel') return <Carousel files={files} first={first} />
  if (files.length === 1)
    return (
      <div className={classes.files} data-arrangement={arrangement} data-count={1}>
        <Tile file={first} isLarge style={{ aspectRatio: aspectOf(first, arrangement) }} />
      </div>
    )
  if (arrangement === 'featured')
    return (
      <div className={classes.files} data-arrangement={arrangement}>
        {files.map((file) => (
          <Tile key={file.id} file={file} isLarge style={{ aspectRatio: aspectOf(file, arrangement) }} />
        ))}
      </div>
    )
  if (arrangement === 'row')
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
      <section className={classes.files} data-arrangement="row" aria-label={t('compose.preview_files')} tabIndex={0}>
        {files.map((file) => (
          <Tile key={file.id} file={file} style={{ aspectRatio: aspectOf(file, arrangement) }} />
        ))}
      </section>
    )
  const shown = files.slice(0, shownFiles[arrangement])
  const rest = files.length - shown.length
  const { style, tiles } = tilingOf(arrangement, shown)
  return (
    <div className={classes.files} data-arrangement={arrangement} style={style}>
      {shown.map((file, index) => (
        <Tile key={file.id} file={file} style={tiles[index] ?? {}}>
          {rest > 0 && index === shown.length - 1 && (
            <span className={classes.rest}>{t('compose.more_files', { number: format.number(rest) })}</span>
          )}
        </Tile>
      ))}
    </div>
  )
}

/** Number of files in each row of a mosaic. */
const mosaicRows: Record<number, number[]> = {
  2: [2],
  4: [2, 2],
  5: [2, 3],
  6: [3, 3],
  7: [1, 3, 3],
  8: [2, 3, 3],
  9: [3, 3, 3],
  10: [1, 3, 3, 3],
}

type Tiling = { style: CSSProperties; tiles: CSSProperties[] }

/** The place of each of at least two files. */
function tilingOf(arrangement: Arrangement, files: readonly PreviewFile[]): Tiling {
  const [first] = files
  const count = files.length
  const aspect = first?.width && first.height ? first.width / first.height : 1
  if (arrangement === 'collage' && count > 2) {
    if (count > 4) return inRows([2, 3], 1.2)
    if (aspect > 1.2) return inRows([1, count - 1], count === 3 ? 1.05 : 1.2)
    if (count === 3 || aspect < 0.85) return tallFirst(count, arrangement)
  }
  if (count === 3) return tallFirst(count, arrangement)
  const rows = mosaicRows[count] ?? [count]
  return inRows(
    rows,
    arrangement === 'mosaic' ? 6 / (2.4 * rows.length) : count === 2 && arrangement === 'collage' ? 2 : 16 / 9,
  )
}

/** A large file before smaller ones above each other. */
const tallFirst = (count: number, arrangement: Arrangement): Tiling => ({
  style: {
    gridTemplateColumns: arrangement === 'grid' ? '1fr 1fr' : '2fr 1fr',
    gridTemplateRows: `repeat(${count - 1}, minmax(0, 1fr))`,
    aspectRatio: arrangement === 'grid' ? 16 / 9 : 1.4,
  },
  tiles: [{ gridRow: `span ${count - 1}` }],
})

/** Rows of equally wide files. `aspect`: of all rows together. */
const inRows = (rows: readonly number[], aspect: number): Tiling => ({
  style: {
    gridTemplateColumns: 'repeat(6, minmax(0, 1fr))',
    gridTemplateRows: rows
      .map((length) => (length === 1 ? '2fr' : `minmax(0, ${length === 2 ? 1.35 : 1}fr)`))
      .join(' '),
    aspectRatio: aspect,
  },
  tiles: rows.flatMap((length) => Array.from({ length }, () => ({ gridColumn: `span ${6 / length}` }))),
})

/** One file at a time, all in the shape of the first. */
function Carousel({ files, first }: { files: readonly PreviewFile[]; first: PreviewFile }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [place, setPlace] = useState(0)
  const style = { aspectRatio: aspectOf(first, 'carousel') }
  if (files.length === 1)
    return (
      <div className={classes.files} data-arrangement="carousel">
        <Tile file={first} isLarge style={style} />
      </div>
    )
  return (
    <div className={classes.carousel}>
      <section
        className={classes.files}
        data-arrangement="carousel"
        aria-label={t('compose.preview_files')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        tabIndex={0}
        onScroll={({ currentTarget: { scrollLeft, clientWidth } }) =>
          setPlace(Math.round(Math.abs(scrollLeft) / clientWidth))
        }
      >
        {files.map((file) => (
          <Tile key={file.id} file={file} isLarge style={style} />
        ))}
      </section>
      <span className={classes.place} aria-hidden="true">
        {format.number(place + 1)}/{format.number(files.length)}
      </span>
      <span className={classes.dots} aria-hidden="true">
        {files.map(({ id }, index) => (
          <i key={id} data-current={index === place || undefined} />
        ))}
      </span>
    </div>
  )
}

type TileProps = {
  file: PreviewFile
  /** Whether its thumbnail would be too small. */
  isLarge?: boolean
  style?: CSSProperties
  children?: React.ReactNode
}

/** An image, or the player of a video. A blurred image is shown until it is loaded. */
export function Tile({ file, isLarge = false, style = {}, children }: TileProps) {
  const { t } = useTranslation()
  const [failed, setFailed] = useState<string>()
  const { kind, alt, placeholder, duration_s } = file
  const source = kind !== 'video' && isLarge ? file.url : (file.thumbnail_url ?? (kind === 'video' ? null : file.url))
  const isVideo = kind === 'video'
  const name = alt || (isVideo ? t('compose.preview_video') : '')
  return (
    <span className={classes.tile} style={placeholder ? { ...style, backgroundImage: `url("${placeholder}")` } : style}>
      {source && source !== failed ? (
        <img src={source} alt={name} loading="lazy" onError={() => setFailed(source)} />
      ) : (
        <span role="img" aria-label={name || t('compose.preview_image')} className={classes.absent}>
          {!placeholder && !isVideo && <ImageOff size={28} aria-hidden="true" />}
        </span>
      )}
      {isVideo && (
        <span className={classes.play} aria-hidden="true">
          <Play size={22} fill="currentColor" />
        </span>
      )}
      {isVideo && duration_s !== null && <span className={classes.badge}>{minutes(duration_s)}</span>}
      {kind === 'gif' && <span className={classes.badge}>GIF</span>}
      {children}
    </span>
  )
}

/** A duration as players write it, such as 1:05. */
const minutes = (seconds: number) =>
  `${Math.floor(Math.round(seconds) / 60)}:${String(Math.round(seconds) % 60).padStart(2, '0')}`

/** A document, by its first page or as a file. */
function Document({ file, title, hasPages }: { file: PreviewFile; title: string; hasPages: boolean }) {
  return (
    <div className={classes.document} data-pages={hasPages || undefined}>
      {hasPages && file.thumbnail_url ? (
        <img src={file.thumbnail_url} alt={file.alt} loading="lazy" />
      ) : (
        <FileText size={hasPages ? 48 : 26} strokeWidth={1.5} aria-hidden="true" />
      )}
      <b>{title}</b>
    </div>
  )
}
