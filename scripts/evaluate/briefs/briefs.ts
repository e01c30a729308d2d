import type { LanguageBrief } from '../brief.ts'
import { english } from './en.ts'
import { turkish } from './tr.ts'

export const briefs: readonly LanguageBrief[] = [
  ...turkish.map((brief) => ({ ...brief, language: 'tr' as const })),
  ...english.map((brief) => ({ ...brief, language: 'en' as const })),
]
