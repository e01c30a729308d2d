import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../../api'
import type { components } from '../../api.gen'
import { fieldProblems } from '../../ui/problem'
import { type Draft, previewQuery } from './queries'
import { inWords } from './writing'

export type Shown = {
  preview: components['schemas']['EmailTemplatePreview'] | undefined
  /** What is wrong with the draft as it stands, by field; the preview is of one before it. */
  faults: Record<string, string>
  /** Why there is no preview, when that is not because of the draft. */
  error: Error | null
}

const PAUSE_MS = 400

/** What a draft looks like, once the typing pauses. What is known stays until more is. */
export function usePreview(draft: Draft | undefined): Shown {
  const { t } = useTranslation()
  const [settled] = useDebouncedValue(draft && JSON.stringify(draft), PAUSE_MS)
  const asked = useMemo<Draft | undefined>(() => settled && JSON.parse(settled), [settled])
  const { data, error } = useQuery({
    ...previewQuery(asked ?? { key: '', locale: '', subject: '', body_html: '' }),
    enabled: asked !== undefined,
  })
  const [known, setKnown] = useState<{ preview: Shown['preview']; error: Error | null }>({
    preview: undefined,
    error: null,
  })
  useEffect(() => {
    if (data) setKnown({ preview: data, error: null })
    else if (error) setKnown(({ preview }) => ({ preview, error }))
  }, [data, error])
  if (asked === undefined) return { preview: undefined, faults: {}, error: null }
  const ofDraft = known.error instanceof ApiProblem && known.error.problem.errors !== undefined
  return {
    preview: known.preview,
    faults: ofDraft ? fieldProblems(t, inWords(t, known.error)) : {},
    error: ofDraft ? null : known.error,
  }
}
