declare global {
  /** Where the parts of Mantine that keep a page from scrolling look for it. */
  var __webpack_nonce__: string | undefined
}

const nonce = document.querySelector('style')?.nonce ?? ''

/** What the page's Content-Security-Policy asks of a style sheet that is written into the page. */
export const styleNonce = () => nonce

globalThis.__webpack_nonce__ = nonce
