import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, withWorkspace } from '../../../../test/factories.ts'
import { svgs } from '../../../../test/hostile-files.ts'
import { noise, testImage } from '../../../../test/media.ts'
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
      '/image': { type: 'image/png', body: await testImage(1200, 630) },
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

  test('200 returns the card of a page that is larger than what is read of it, and an image of several megabytes', async () => {
    const { url } = await webSite({
      '/': {
        type: 'text/html; charset=utf-8',
        body: `${withImage.body.replace('Simit', 'Şık çanta')}<p>${'ş'.repeat(2_000_000)}`,
      },
      '/image': { type: 'image/png', body: await noise(1000, 1000) },
    })
    expect((await preview(`${url}/`)).body.card).toEqual({
      title: 'Şık çanta',
      description: '',
      image: expect.stringMatching(/^data:image\/webp/),
    })
  })

  test.each(['https://bakery com/a.jpg', 'http://[', 'https://', '//', 'https://%zz/', 'http://a:b:c/'])(
    '200 returns a card without an image at %s, which is no address',
    async (address) => {
      const { url } = await webSite({
        '/': html(`<title>Simit</title><meta property="og:image" content="${address}">`),
      })
      expect((await preview(`${url}/`)).body).toEqual({ card: { title: 'Simit', description: '', image: null } })
    },
  )

  test('200 returns texts on one line, without control characters, and an image named og:image:url', async () => {
    const head = '<title>\n Çay\u0000&#0;\u0008\n bahçesi\u001b </title><meta property="og:image:url" content="/image">'
    const { url } = await webSite({
      '/': html(head),
      '/image': { type: 'image/png', body: await testImage() },
    })
    const { card } = (await preview(`${url}/`)).body
    expect(card).toEqual({
      title: expect.stringMatching(/^Çay\ufffd? bahçesi$/),
      description: '',
      image: expect.any(String),
    })
  })

  test.each([
    ['windows-1254', 'text/html; charset=windows-1254', ''],
    ['iso-8859-9', 'text/html', '<meta charset="iso-8859-9">'],
    ['windows-1254', 'text/html', '<meta http-equiv="Content-Type" content="text/html; charset=windows-1254">'],
  ])('200 returns the letters of a page in %s: %s %s', async (_, type, meta) => {
    // Both have these letters at the same places.
    const latin5 = '\u00ddn\u00f0ne \u00fe\u00fdk \u00e7anta'
    const { url } = await webSite({ '/': { type, body: Buffer.from(`${meta}<title>${latin5}</title>`, 'latin1') } })
    expect((await preview(`${url}/`)).body.card.title).toBe('İnğne şık çanta')
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
