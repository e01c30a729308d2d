/**
 * Shows the notifications that Meydan pushes, also while no page is open. It controls no pages and stores none: its scope
 * is the folder of the console's files.
 */
const SUBSCRIPTIONS = '/api/v1/me/push-subscriptions'

self.addEventListener('install', () => self.skipWaiting())

self.addEventListener('push', (event) => event.waitUntil(show(event.data)))

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data?.path))
})

self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event)))

/** Shows a notification even if the push cannot be read: browsers revoke the permission when a push shows none. */
async function show(data) {
  const { title, line, path, tag, lang } = read(data)
  await self.registration.showNotification(title ?? 'Meydan', {
    body: line ?? '',
    tag: tag ?? 'meydan',
    lang: lang ?? '',
    icon: '/console/icons/192.png',
    data: { path: path ?? '/notifications' },
  })
}

function read(data) {
  try {
    return data?.json() ?? {}
  } catch {
    return {}
  }
}

/** Focuses the page if a tab shows it, otherwise opens it. */
async function open(path) {
  const url = new URL(path ?? '/notifications', self.location.origin)
  if (url.origin !== self.location.origin) return
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const shown = tabs.find((tab) => tab.url === url.href)
  await (shown ? shown.focus() : self.clients.openWindow(url.href))
}

/** Stores the subscription with which the browser replaced the former one. It is refused if the session has ended. */
async function renew({ oldSubscription, newSubscription }) {
  const made = newSubscription ?? (oldSubscription && (await subscribe(oldSubscription.options)))
  if (!made) return
  const { endpoint, keys } = made.toJSON()
  await fetch(SUBSCRIPTIONS, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ endpoint, keys }),
  })
}

const subscribe = ({ applicationServerKey }) =>
  self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
