import { useQueries } from '@tanstack/react-query'
import { useWorkspace } from '../../workspaces/queries'
import { type Media, oneMediaQuery } from '../queries'

/** The records of files by their ids, without those that are not loaded or no longer exist. */
export function useMediaRecords(ids: readonly string[]): Media[] {
  const { slug } = useWorkspace()
  return useQueries({
    queries: ids.map((id) => oneMediaQuery(slug, id)),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  })
}
