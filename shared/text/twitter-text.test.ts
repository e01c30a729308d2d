import { expect, test } from 'vitest'
import { countCharacters } from './counting.ts'
import { linksOnX } from './links.ts'
import vectors from './twitter-text.json' with { type: 'json' }

// Vectors of twitter-text that are left out: `tweets` and `WeightedTweetsCounterTest` belong to earlier configurations, in
// which other texts are too long; `urls` and `urls_without_protocol` of validate.yml check a field that holds one address,
// in which a user or an IP address may stand, and not what is found in a text.
test('the links and the lengths of the published vectors of X are found', () => {
  const links = vectors.links.map(([text]) => [text, linksOnX(String(text)).map(({ url }) => url)])
  expect(links).toEqual(vectors.links)
  const places = vectors.places.map(([text]) => {
    const before = (index: number) => [...String(text).slice(0, index)].length
    return [text, linksOnX(String(text)).map(({ url, index }) => [url, before(index)])]
  })
  expect(places).toEqual(vectors.places)
  const rules = { counting: 'weighted', link_length: 23, short_mentions: false } as const
  const lengths = vectors.lengths.map(([text]) => [text, countCharacters(String(text), rules)])
  expect(lengths).toEqual(vectors.lengths)
})
