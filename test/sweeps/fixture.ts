import { type Scope, scopes } from '../../server/lib/http/scopes.ts'
import { testApp } from '../app.ts'
import { sellWithoutLimits } from '../billing.ts'
import { type Person, signedIn, type WorkspaceOwner, withToken, withWorkspace } from '../factories.ts'
import { webhookReceiver } from '../receiver.ts'
import { modelAt, providerServer } from '../stand-ins/ai.ts'
import { publishedBy } from './document.ts'

export type Fixture = Awaited<ReturnType<typeof createFixture>>

/** A workspace with something of everything, its callers, and a user of another workspace. */
export async function createFixture() {
  const t = await testApp({}, { subscribed: true, origin: new Date() })
  const closers: (() => unknown)[] = []
  const scopeNames = Object.keys(scopes) as Scope[]
  const receiver = await webhookReceiver()
  const providers = { openai: await providerServer('openai'), xai: await providerServer('xai') }
  const owner: WorkspaceOwner = await withWorkspace(t)
  const stranger = await withWorkspace(t)
  const admin: Person = await signedIn(t, { instanceAdmin: true })
  await sellWithoutLimits(admin)
  await modelAt(admin, 'openai', 'chat', providers.openai)
  await modelAt(admin, 'openai', 'image', providers.openai)
  await modelAt(admin, 'xai', 'video', providers.xai)
  return {
    t,
    receiver,
    providers,
    owner,
    admin,
    ownerToken: await withToken(t, owner, scopeNames),
    stranger,
    strangerToken: await withToken(t, stranger, scopeNames),
    published: await publishedBy(t),
    another: async (settings: Record<string, string> = {}) => {
      const another = await testApp(settings, { origin: new Date() })
      closers.push(() => another.close())
      return another
    },
    /** Closes something with the fixture. */
    closeLater: (close: () => unknown) => void closers.push(close),
    close: async () => {
      receiver.close()
      for (const provider of Object.values(providers)) provider.close()
      await Promise.all([t.close(), ...closers.map((close) => close())])
    },
  }
}
