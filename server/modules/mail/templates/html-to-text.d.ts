/** Types for the part of html-to-text used here, because the package has none. */
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
