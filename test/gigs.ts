import type { Client } from './client.ts'
import { expectStatus } from './factories.ts'
import { uploaded } from './media.ts'

export const newGig = {
  title: 'Ten posts for your café',
  description: 'Ten posts with images, written for your café and its guests.',
  price: 1499.9,
  currency: 'TRY',
  delivery_days: 3,
  categories: ['social-media'],
}

/** The record of a new gig, which is published. */
// biome-ignore lint/suspicious/noExplicitAny: tests read records of every shape
export const publishedGig = async (seller: Client, more: object = {}): Promise<any> =>
  expectStatus(await seller.post('/api/v1/marketplace/gigs', { ...newGig, status: 'published', ...more }), 201).body

/** The same with an image. */
export const gigWithSample = async (seller: Client) =>
  publishedGig(seller, { sample_media: [(await uploaded(seller)).id] })

/** The id of a gig that is archived. */
export async function archivedGig(seller: Client) {
  const { id } = await publishedGig(seller)
  return expectStatus(await seller.post(`/api/v1/marketplace/gigs/${id}/archive`), 200).body.id as string
}

/** The id of a report of a gig by a user. */
export async function reportedGig(seller: Client, reporter: Client) {
  const { id } = await publishedGig(seller)
  const report = { reason: 'spam', text: 'The same text everywhere.' }
  return expectStatus(await reporter.post(`/api/v1/marketplace/gigs/${id}/report`, report), 201).body.id as string
}

let handles = 0
export const newHandle = () => `seller_${process.pid}_${++handles}`
