import type { Account, PostSummary } from '../../../../api'
import { statusStyles, statusWithReview } from '../../PostStatusBadge'
import type { Coloring } from '../../search-params'

const palette = ['blue', 'orange', 'grape', 'teal', 'pink', 'lime', 'indigo', 'yellow', 'cyan', 'violet']

const filled = (color: string) => `var(--mantine-color-${color}-filled)`

type Color = { id: string; name: string; color: string }

export type PostColors = {
  /** Colors of the edge of a post, from top to bottom. */
  of: (post: PostSummary) => Color[]
  /** Meaning of the colors of the shown posts. Empty for states, which posts also show as icons. */
  key: Color[]
}

const byStatus: PostColors = {
  of: (post) => [{ id: '', name: '', color: filled(statusStyles[statusWithReview(post)].color) }],
  key: [],
}

/** The colors of posts: their states, or what `coloring` names. A post without any of that is gray. */
export function postColors(
  coloring: Coloring | undefined,
  posts: readonly PostSummary[],
  accounts: readonly Account[],
): PostColors {
  if (!coloring) return byStatus
  const idsOf =
    coloring === 'account'
      ? ({ targets }: PostSummary) => targets.map(({ account_id }) => account_id)
      : ({ labels }: PostSummary) => labels
  const shown = new Set(posts.flatMap(idsOf))
  const key =
    coloring === 'account'
      ? accounts.map(({ id, name }, index) => ({ id, name, color: colorAt(index) })).filter(({ id }) => shown.has(id))
      : labelKey([...shown])
  const colors = new Map(key.map((color) => [color.id, color]))
  return {
    of: (post) => {
      const found = idsOf(post).flatMap((id) => colors.get(id) ?? [])
      return found.length > 0 ? found : [{ id: '', name: '', color: filled('gray') }]
    },
    key,
  }
}

const colorAt = (index: number) => filled(palette[index % palette.length] ?? 'gray')

/** Labels begin at a color that depends on their text alone, so that most keep it from month to month. */
function labelKey(labels: string[]) {
  const taken = new Set<number>()
  return labels
    .toSorted((a, b) => a.localeCompare(b))
    .map((name) => {
      let index = [...name].reduce((sum, letter) => sum * 31 + (letter.codePointAt(0) ?? 0), 0) % palette.length
      while (taken.has(index) && taken.size < palette.length) index = (index + 1) % palette.length
      taken.add(index)
      return { id: name, name, color: colorAt(index) }
    })
}

/** The colors one below the other, as a background. */
export const edgeOf = (colors: Color[]) =>
  `linear-gradient(${colors.map(({ color }, index) => `${color} ${(100 * index) / colors.length}% ${(100 * (index + 1)) / colors.length}%`).join(', ')})`
