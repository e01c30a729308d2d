import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { problemMessage } from '../../../../ui/feedback/problem'
import { foldCase } from '../../../../ui/navigation/search-params'
import { useWorkspace } from '../../../workspaces/queries'
import { snippetsQuery } from './queries'
import { type SnippetPlace, useFillSnippet } from './snippet-place'

const MAX_OPTIONS = 8

/** The snippets by a part of a name that is being written, those first whose names begin so. */
export function useSnippetOptions(written: string | undefined, place: SnippetPlace | undefined) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const { data, error, isPending } = useQuery({ ...snippetsQuery(slug), enabled: written !== undefined })
  const fill = useFillSnippet(place)
  if (written === undefined) return { options: [], status: undefined }
  const wanted = foldCase(written)
  const placeOf = (name: string) => foldCase(name).indexOf(wanted)
  const found = (data?.snippets ?? [])
    .filter(({ name }) => placeOf(name) >= 0)
    .toSorted((a, b) => Math.min(1, placeOf(a.name)) - Math.min(1, placeOf(b.name)))
    .slice(0, MAX_OPTIONS)
  const options = found.flatMap((snippet) => {
    if (!data) return []
    const { content, parts } = fill(snippet, data.variables)
    return {
      id: snippet.id,
      text: content,
      ...(snippet.kind === 'template' && { onInserted: () => place?.onTemplate?.(parts) }),
      label: (
        <>
          <Text fw={550} truncate dir="auto">
            {snippet.name}
          </Text>
          <Text fz="sm" truncate dir="auto">
            {content}
          </Text>
        </>
      ),
    }
  })
  if (error) return { options, status: problemMessage(t, error) }
  if (isPending) return { options, status: t('snippets.searching') }
  // Other texts with a slash are left alone.
  return { options, status: data.snippets.length === 0 ? t('snippets.none') : undefined }
}
