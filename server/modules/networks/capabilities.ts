import type { LengthRules } from '../../../shared/text/counting.ts'
import type { MediaRules } from '../media/media-rules.ts'

/** The posts that a network takes. */
export type Capabilities = LengthRules & {
  /** Maximum length of a text, in the unit of `counting`. */
  max_length: number
  /** Maximum length of the text of a part with files, if it is less; null if it is the same. */
  max_length_with_media: number | null
  /** Maximum length of a text in bytes of UTF-8; null if only `max_length` counts. */
  max_bytes: number | null
  /** Files that a part of a post can have; null if the network takes none. */
  media: MediaRules | null
  /** Maximum number of parts of a thread, the post itself included; 1 if there are no threads. */
  max_parts: number
  /** Whether Meydan can comment below the post when it is published. */
  first_comment: boolean
  /** Whether a link in the text is shown as a card. */
  link_card: boolean
  /** Whether the text of a published post can be changed there. */
  edit: boolean
  /** Whether a published post can be deleted there. */
  delete: boolean
}

/** Capabilities in which one account differs from its network: its server reported them, or its credentials allow less. */
export type AccountLimits = Partial<
  Pick<
    Capabilities,
    | 'counting'
    | 'max_length'
    | 'max_bytes'
    | 'link_length'
    | 'short_mentions'
    | 'media'
    | 'max_parts'
    | 'first_comment'
    | 'edit'
    | 'delete'
  >
>
