import type { Part } from '../network.ts'
import { htmlOf } from './api.ts'

/** A file in the library of a site. */
export type Upload = { id: number; url: string; kind: Part['media'][number]['kind']; alt: string }

const MAX_TITLE = 100

/**
 * The title and the text below it. Without a title of its own, a post has its first line as one. A line that is too
 * long for a title is shortened there, and stays in the text.
 */
export function titleAndBody(text: string, title: string): { title: string; body: string } {
  if (title) return { title, body: text }
  const [first = '', ...others] = text.trim().split('\n')
  const line = first.trim()
  const below = others.join('\n').trim()
  if (line.length > MAX_TITLE) return { title: shortened(line), body: text }
  return { title: line, body: below || text }
}

/** Cuts between words where it can. */
function shortened(line: string) {
  const cut = [...line].slice(0, MAX_TITLE).join('')
  return `${cut.replace(/\s+\S*$/, '')}…`
}

/** Links with their scheme, without the punctuation that ends a sentence. */
const links = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]}]/giu

function withLinks(line: string) {
  let html = ''
  let end = 0
  for (const { 0: url, index } of line.matchAll(links)) {
    html += `${htmlOf(line.slice(end, index))}<a href="${htmlOf(url)}">${htmlOf(url)}</a>`
    end = index + url.length
  }
  return html + htmlOf(line.slice(end))
}

const block = (name: string, html: string) => `<!-- wp:${name} -->\n${html}\n<!-- /wp:${name} -->`

const paragraphsOf = (text: string) =>
  text
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim())
    .map((paragraph) => block('paragraph', `<p>${paragraph.trim().split('\n').map(withLinks).join('<br>')}</p>`))

const fileName = (url: string) => decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '')

function blockOf({ id, url, kind, alt }: Upload) {
  const [src, label] = [htmlOf(url), htmlOf(alt)]
  if (kind === 'video')
    return block('video', `<figure class="wp-block-video"><video controls src="${src}"></video></figure>`)
  if (kind === 'document') return block('paragraph', `<p><a href="${src}">${htmlOf(alt || fileName(url))}</a></p>`)
  return block(
    'image',
    `<figure class="wp-block-image"><img src="${src}" alt="${label}" class="wp-image-${id}"/></figure>`,
  )
}

/** The first picture stands above the text as the featured image of the post. */
export const featuredOf = (files: readonly Upload[]) => files.find(({ kind }) => kind === 'image' || kind === 'gif')

/** The text as paragraphs, and below it the files except for the featured image. */
export const contentOf = (body: string, files: readonly Upload[]) =>
  [...paragraphsOf(body), ...files.filter((file) => file !== featuredOf(files)).map(blockOf)].join('\n\n')
