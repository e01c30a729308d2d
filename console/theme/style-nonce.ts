declare global {
  /** Mantine's scroll lock reads the nonce from here. */
  var __webpack_nonce__: string | undefined
}

const nonce = document.querySelector('style')?.nonce ?? ''

/** The nonce that the Content-Security-Policy requires of inline style sheets. */
export const styleNonce = () => nonce

globalThis.__webpack_nonce__ = nonce
