import type { Part } from '../network.ts'
import { htmlOf, paragraphsOf } from '../text/article-html.ts'

/** A file in the library of a site. */
export type Upload = { id: number; url: string; kind: Part['media'][number]['kind']; alt: string }

const block = (name: string, html: string) => `<!-- wp:${name} -->\n${html}\n<!-- /wp:${name} -->`

const fileName = (url: string) => url.split('/').at(-1) ?? url

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

/** The first image stands above the text as the featured image of the post. */
export const featuredOf = (files: readonly Upload[]) => files.find(({ kind }) => kind === 'image' || kind === 'gif')

/** The text as paragraphs, and below it the files except for the featured image. */
export const contentOf = (body: string, files: readonly Upload[]) =>
  [
    ...paragraphsOf(body).map((html) => block('paragraph', html)),
    ...files.filter((file) => file !== featuredOf(files)).map(blockOf),
  ].join('\n\n')
