import { linksIn } from '../../../../shared/text/links'
import type { Network } from '../../../api'

type Preview = Network['preview']
type Piece = { text: string; isLinked: boolean }

const segmenter = new Intl.Segmenter()

/** Characters by which a text may end earlier, between two words. */
const WORD_REACH = 20
/** Length of a link that is shown in short. */
const MAX_LINK = 30

/** Cuts a text where readers have to open the rest. Undefined if they see all of it. */
export function foldText(text: string, fold: Preview['fold']) {
  if (!fold) return
  const perLine = fold.characters / fold.lines
  let lines = 0
  let begin = 0
  for (const line of text.split('\n')) {
    const needed = Math.max(1, Math.ceil(line.length / perLine))
    if (lines + needed > fold.lines) return cutAt(text, begin + Math.floor((fold.lines - lines) * perLine))
    lines += needed
    begin += line.length + 1
  }
}

/** The beginning of a text up to `end`, without a part of a word or of an emoji. */
function cutAt(text: string, end: number) {
  let boundary = 0
  for (const { index } of segmenter.segment(text.slice(0, end + 1))) if (index <= end) boundary = index
  const cut = text.slice(0, boundary)
  const space = cut.search(/\s\S*$/)
  return (space >= boundary - WORD_REACH ? cut.slice(0, space) : cut).trimEnd()
}

function shortLink(url: string) {
  const short = url.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')
  return short.length > MAX_LINK ? `${short.slice(0, MAX_LINK - 1)}…` : short
}

const words = {
  mention: '@[\\p{L}\\p{N}_]+(?:[.@-][\\p{L}\\p{N}_]+)*',
  hashtag: '#(?=[\\p{N}_]*\\p{L})[\\p{L}\\p{N}_]+',
}

/** Parts of a text, with what leads somewhere as the network shows it. */
export function piecesOf(text: string, { linked, shortens_links }: Preview): Piece[] {
  const patterns = linked.flatMap((kind) => (kind === 'link' ? [] : words[kind]))
  const pattern = patterns.length > 0 && new RegExp(`(?<![\\p{L}\\p{N}_/@#])(${patterns.join('|')})`, 'u')
  const plain = (between: string) =>
    pattern
      ? between.split(pattern).map((piece, index) => ({ text: piece, isLinked: index % 2 === 1 }))
      : [{ text: between, isLinked: false }]
  const pieces: Piece[] = []
  let end = 0
  for (const { url, index } of linked.includes('link') ? linksIn(text) : []) {
    pieces.push(...plain(text.slice(end, index)), { text: shortens_links ? shortLink(url) : url, isLinked: true })
    end = index + url.length
  }
  return [...pieces, ...plain(text.slice(end))].filter((piece) => piece.text)
}
