/** The part of html-to-text that is used here: the package comes without types. */
declare module 'html-to-text' {
  export function convert(
    html: string,
    options: {
      wordwrap: false
      limits: { maxDepth: number; maxChildNodes: number }
      selectors: { selector: string; format?: string; options?: Record<string, unknown> }[]
    },
  ): string
}
