import type { Agent } from '@atproto/api'

/** Loaded on first use: it slows down the start, and many instances never need it. */
export const loadLibrary = () => import('@atproto/api')

/** Methods of the protocol, called as an account. */
export type Methods = Pick<Agent, 'com' | 'app'>
