import type { Deps } from '../../../lib/deps.ts'
import type { ProviderName } from './provider.ts'

type Base = Pick<Deps, 'baseUrl'>

/** The page of the console where a workspace pays. */
export const billingPage = ({ baseUrl }: Base, slug: string) => `${baseUrl}/w/${slug}/billing`

/** Path of the page of the console that shows a checkout to the payer who comes back. */
export const returnPath = (slug: string, { id }: { id: string }) => `/w/${slug}/billing/checkouts/${id}`

/** Address that a provider sends the browser of the payer to with a form. */
export const callbackUrl = ({ baseUrl }: Base, provider: ProviderName) => `${baseUrl}/billing/${provider}/callback`
