/** Types for the part of html-to-text used here, because the package has none. */
declare module 'html-to-text' {
  type Node = { prev: Node | null; attribs?: Record<string, string>; children?: Node[] }
  type Builder = { addInline: (text: string) => void }
  type Formatter = (
    element: Node,
    walk: (nodes: Node[] | undefined, builder: Builder) => void,
    builder: Builder,
  ) => void

  export function convert(
    html: string,
    options: {
      wordwrap: false
      limits: { maxDepth: number; maxChildNodes: number }
      selectors: { selector: string; format?: string; options?: Record<string, unknown> }[]
      /** Formats of selectors, by their names. */
      formatters?: Record<string, Formatter>
    },
  ): string
}
