import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, withWorkspace } from '../../../../test/factories.ts'
import { svgs } from '../../../../test/hostile-files.ts'
import { picture } from '../../../../test/media.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { webSite } from '../../../../test/web-site.ts'

const t = await testApp()
const owner = await withWorkspace(t)

const preview = (url: string) => owner.get(`/api/v1/posts/link-preview?url=${encodeURIComponent(url)}`)
const html = (head: string) => ({ type: 'text/html', body: `<html><head>${head}</head></html>` })
const withImage = html('<title>Simit</title><meta property="og:image" content="/image">')

describe('GET /posts/link-preview', () => {
  test('200 returns title, description and a small image of the page, and calls it once for a while', async () => {
    const { url, calls } = await webSite({
      '/': html(
        '<title>Simit</title><meta name="description" content="Fresh"><meta property="og:image" content="/image">',
      ),
      '/image': { type: 'image/png', body: await picture(1200, 630) },
    })
    const { body } = expectStatus(await preview(`${url}/`), 200)
    expect(body).toEqual({
      card: { title: 'Simit', description: 'Fresh', image: expect.stringMatching(/^data:image\/webp;base64,UklG/) },
    })
    expect((await preview(`${url}/`)).body).toEqual(body)
    expect(calls).toEqual(['/', '/image'])
  })

  test.each([
    ['that is no image', { type: 'image/png', body: 'x' }],
    ['that is an SVG', { type: 'image/svg+xml', body: Object.values(svgs)[0] ?? '' }],
    ['of a private address', { location: 'http://10.0.0.1/' }],
  ])('200 returns a card without an image %s', async (_, image) => {
    const { url } = await webSite({ '/': withImage, '/image': image })
    expect((await preview(`${url}/`)).body).toEqual({ card: { title: 'Simit', description: '', image: null } })
  })

  test('200 returns no card of a page that cannot be read or may not be called', async () => {
    const { url } = await webSite({ '/away': { location: 'http://169.254.169.254/' }, '/none': html('') })
    for (const address of [`${url}/away`, `${url}/none`, `${url}/absent`, 'http://10.0.0.1/', 'http://[', 'http://a b'])
      expect(expectStatus(await preview(address), 200).body).toEqual({ card: null })
  })

  test('400 for what is no address of a page', async () => {
    expectProblem(await preview('file:///etc/passwd'), 400, 'validation_failed', '/url')
    expectProblem(await owner.get('/api/v1/posts/link-preview'), 400, 'validation_failed', '/url')
  })
})
