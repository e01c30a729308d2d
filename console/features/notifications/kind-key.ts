import type { Kind } from './queries'

type Underscored<Name extends string> = Name extends `${infer Head}.${infer Tail}` ? `${Head}_${Tail}` : Name
export type KindKey = Underscored<Kind>

/** The name of a kind in the keys of texts, such as `post_failed`. */
export const keyOf = (kind: Kind) => kind.replaceAll('.', '_') as KindKey
