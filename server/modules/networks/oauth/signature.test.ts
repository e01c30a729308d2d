import { expect, test } from 'vitest'
import { signedHeader } from './signature.ts'

const signatureIn = (header: string) => decodeURIComponent(/oauth_signature="([^"]+)"/.exec(header)?.[1] ?? '')

test('the request of RFC 5849, section 1.2, has the signature that is printed there', () => {
  const keys = {
    consumer_key: 'dpf43f3p2l4k3l03',
    consumer_secret: 'kd94hf93k423kf44',
    token: 'nnch734d00sl2jdk',
    token_secret: 'pfkkdhi9sl3r4s00',
  }
  const url = 'http://photos.example.net/photos?file=vacation.jpg&size=original'
  const header = signedHeader(keys, { method: 'GET', url, nonce: 'chapoH', now: new Date(137_131_202_000) })
  expect(signatureIn(header)).toBe('MdpQcU8iPSUjWoN/UDMsK2sui9I=')
  expect(header).toMatch(/^OAuth oauth_consumer_key="dpf43f3p2l4k3l03", oauth_nonce="chapoH", /)
})

test('the example of the former documentation of X, in several scripts, has its signature', () => {
  const keys = {
    consumer_key: 'GDdmIQH6jhtmLUypg82g',
    consumer_secret: 'MCD8BKwGdgPHvAuvgvz4EQpqDAtx89grbuNMRd7Eh98',
    token: '819797-Jxq8aYUDRmykzVKrgoLhXSq67TEa5ruc4GJC2rWimw',
    token_secret: 'J6zix3FfA9LofH0awS24M3HcBYXO5nI1iYe8EfBA',
  }
  const query = new URLSearchParams({ status: 'setting up my twitter 私のさえずりを設定する', oauth_version: '1.0' })
  const url = `http://api.twitter.com/1/statuses/update.json?${query}`
  const nonce = 'oElnnMTQIZvqvlfXM56aBLAf5noGD0AQR3Fmi7Q6Y'
  const header = signedHeader(keys, { method: 'POST', url, nonce, now: new Date(1_272_325_550_000) })
  expect(signatureIn(header)).toBe('yOahq5m0YjDDjfjxHaXEsW9D+X0=')
})
