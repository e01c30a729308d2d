import { api, unwrap } from '../../api'
import type { components } from '../../api.gen'

export type PushSubscriptionRecord = components['schemas']['PushSubscription']

const WORKER = '/console/push-worker.js'
/** No page is below this path, so the service worker controls none. */
const SCOPE = '/console/'

export const deletePushSubscription = (id: string) =>
  unwrap(api.DELETE('/api/v1/me/push-subscriptions/{id}', { params: { path: { id } } }))

/** A reason why this browser cannot show pushed notifications. */
type PushObstacle = 'insecure' | 'home_screen' | 'unsupported' | 'denied'

/** Returns null if this browser can show pushed notifications. */
export function pushObstacle(): PushObstacle | null {
  if (!window.isSecureContext) return 'insecure'
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return isAppleDevice() && !matchMedia('(display-mode: standalone)').matches ? 'home_screen' : 'unsupported'
  return Notification.permission === 'denied' ? 'denied' : null
}

/** iPads say that they are a Mac, which has no touch screen. */
const isAppleDevice = () =>
  /iPhone|iPad/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

/** Subscribes this browser. Asks for the permission, so call it on a click. Returns whether it was given. */
export async function turnPushOn() {
  // Asks before any other await: browsers show the question only while they handle the click.
  if ((await Notification.requestPermission()) !== 'granted') return false
  const { public_key } = await unwrap(api.GET('/api/v1/me/push-key'))
  const { pushManager } = await activeWorker()
  const existing = await pushManager.getSubscription()
  const fits = existing && toBase64Url(existing.options.applicationServerKey) === public_key
  // A browser has one subscription, whose key cannot be changed.
  if (existing && !fits) await existing.unsubscribe()
  const made = fits
    ? existing
    : await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: public_key })
  const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = made.toJSON()
  await unwrap(api.POST('/api/v1/me/push-subscriptions', { body: { endpoint, keys: { p256dh, auth } } }))
  return true
}

/** Ends the subscription of this browser. Meydan deletes it first, so it sends nothing if the browser then fails to. */
export async function turnPushOff(id: string) {
  await deletePushSubscription(id)
  const registration = await navigator.serviceWorker?.getRegistration(SCOPE)
  const subscription = await registration?.pushManager?.getSubscription()
  await subscription?.unsubscribe()
}

/** Registers the service worker, and waits until it can subscribe. */
async function activeWorker() {
  const registration = await navigator.serviceWorker.register(WORKER)
  const worker = registration.installing ?? registration.waiting
  if (registration.active || !worker) return registration
  await new Promise<void>((resolve, reject) => {
    worker.addEventListener('statechange', () => {
      if (worker.state === 'activated') resolve()
      if (worker.state === 'redundant') reject(new Error('The service worker could not be installed'))
    })
  })
  return registration
}

/** Encodes bytes as base64url without padding. */
const toBase64Url = (bytes: ArrayBuffer | null) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
