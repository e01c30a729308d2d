/** Tokens of one sign-in. */
export type Tokens = {
  access_token: string
  /** Null if the network renews without one, or not at all. */
  refresh_token: string | null
  /** Seconds for which the access token is accepted; null if it does not end. */
  expires_in: number | null
  /** Granted permissions; null if the network does not name them. */
  scopes: string[] | null
  /** JSON that the protocol of the network keeps with the tokens, such as the key that they are bound to. */
  binding?: string
}
