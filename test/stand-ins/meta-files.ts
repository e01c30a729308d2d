import { fileTypeFromBuffer } from 'file-type'

/** A file that a network fetched. */
export type PublicFile = { type: string; alt: string }

/** Files that Meta fetches from the address of a caller, without credentials. */
export function metaFiles() {
  let origin = { named: '', at: '' }
  return {
    /** Fetches files whose address begins with `named` from `at`, and no others. */
    fetchFrom: (named: string, at: string) => {
      origin = { named, at }
    },
    /** The media type of a file; undefined if it is not there, or of the wrong type. */
    fetchFile: async (given: unknown, allowed: RegExp | undefined): Promise<string | undefined> => {
      const url = new URL(String(given))
      if (url.origin !== origin.named) return undefined
      const response = await fetch(`${origin.at}${url.pathname}${url.search}`, { redirect: 'error' })
      if (!response.ok) return undefined
      const type = (await fileTypeFromBuffer(Buffer.from(await response.arrayBuffer())))?.mime ?? ''
      return allowed?.test(type) ? type : undefined
    },
  }
}
